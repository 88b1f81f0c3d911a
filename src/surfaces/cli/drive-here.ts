import type { RequestId, RunId } from '../../core/model/ids.ts'
import type { Request } from '../../core/model/input.ts'
import { isProblem, problem } from '../../core/model/problem.ts'
import type { RunState } from '../../core/run/state.ts'
import { type EngineEnd, RunEngine } from '../../engine/drive-run.ts'
import { openInbox } from '../../engine/inbox.ts'
import type { Lease, LeaseHeld } from '../../ports/store.ts'
import type { Desk, ReadSettings } from './desk.ts'
import { listenForInterrupts } from './interrupts.ts'
import { Refusal } from './refusal.ts'
import { RUN_PURPOSE } from './runs.ts'
import { dateAndTime } from './tell-time.ts'
import { type Heard, tellingStore } from './telling-store.ts'

export interface Drive {
  readonly run: RunId
  /** Adopted before the work begins; null: those that the run has. */
  readonly settings: ReadSettings | null
  readonly noWait: boolean
  /** No other engine can begin now. */
  began(): void
  heard(event: Heard): void
  say(text: string): void
}

/** Is the engine of a run until it ends, waits for a person or is stopped. */
export async function driveHere(
  desk: Desk,
  drive: Drive,
): Promise<{ readonly end: EngineEnd; readonly state: RunState }> {
  const { world, state, tools } = desk
  const startedAt = world.clock.now()
  const lease = soleEngine(await state.leases.acquire({ pid: world.pid, startedAt, purpose: RUN_PURPOSE }))
  const { store } = tellingStore(state.store, drive.heard)
  const { run, noWait, settings } = drive
  const engine = new RunEngine({ ports: { ...tools, store }, run, pid: world.pid, noWait })
  try {
    drive.began()
    await engine.open()
    await forgetOldStops(desk, engine, run, startedAt)
    if (settings !== null) await engine.request(newRequestId(desk), { kind: 'adopt-settings', ...settings })
    const interrupts = listenForInterrupts(world, engine, drive.say)
    const inbox = openInbox(store, {
      request(id, request) {
        // Told to stop from outside, it has as long as after Ctrl-C.
        if (request.kind === 'stop-engine') interrupts.end('a person asked the engine to stop')
        return engine.request(id, request)
      },
    })
    try {
      return { end: await engine.drive(), state: engine.state }
    } finally {
      inbox.close()
      await engine.close()
      interrupts.close()
    }
  } finally {
    await lease.release()
  }
}

/** Answers stops that were meant for an engine that died first; taken now, they would stop this one. */
async function forgetOldStops({ state }: Desk, engine: RunEngine, run: RunId, startedAt: number): Promise<void> {
  for (const { id, body, at } of await state.store.asked()) {
    if ((body as Request).kind !== 'stop-engine' || at >= startedAt) continue
    // Changes nothing in a run that is open already.
    await engine.request(id, { kind: 'open-run', run, target: '', spentBefore: {} })
  }
}

function newRequestId({ world }: Desk): RequestId {
  return world.clock.uuid() as RequestId
}

function soleEngine(lease: Lease | LeaseHeld | ReturnType<typeof problem>): Lease {
  if (isProblem(lease)) throw new Refusal([lease])
  if (lease.kind === 'lease') return lease
  const { by } = lease
  const who = by === null || by.pid === 0 ? 'Another process' : `Process ${by.pid}`
  const since = by === null || by.pid === 0 ? '' : ` since ${dateAndTime(by.startedAt)}`
  const what =
    by === null || by.purpose === RUN_PURPOSE ? 'is the engine of this repository' : `is at "longhaul ${by.purpose}"`
  throw new Refusal([
    problem({
      code: 'engine-running',
      message: `${who} ${what}${since}; there can be only one.`,
      hint: 'See it work with "longhaul log --follow", or end it with "longhaul stop".',
      retry: 'later',
    }),
  ])
}
