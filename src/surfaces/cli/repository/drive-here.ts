import type { RequestId, RunId } from '../../../core/model/ids.ts'
import type { Decision, Request } from '../../../core/model/input.ts'
import { type Problem, ProblemError, problem, unwrap } from '../../../core/model/problem.ts'
import type { RunEvent } from '../../../core/model/run-event.ts'
import type { RunState } from '../../../core/run/state.ts'
import { serveRequests } from '../../../engine/requests.ts'
import { type EngineEnd, RunEngine } from '../../../engine/run-engine.ts'
import type { Lease, LeaseHeld } from '../../../ports/store.ts'
import { listenForInterrupts } from '../interrupts.ts'
import { dateAndTime } from '../render/times.ts'
import { type AnnouncedEvent, announcingStore } from './announcing-store.ts'
import type { OpenRepository, ReadSettings } from './open-repository.ts'
import { RUN_PURPOSE } from './runs.ts'

export interface Drive {
  readonly run: RunId
  /** Adopted before the work begins; null: those that the run has. */
  readonly settings: ReadSettings | null
  readonly noWait: boolean
  /** No other engine can begin now, and the run can be asked. */
  began(ask: AskRun): void
  heard(event: AnnouncedEvent): void
  say(text: string): void
}

/** Asks the run that this process drives; null: its engine has died. */
export type AskRun = (request: Request) => Promise<Decision<RunEvent> | null>

/** Is the engine of a run until it ends, waits for a person or is stopped. */
export async function driveHere(
  desk: OpenRepository,
  drive: Drive,
): Promise<{ readonly end: EngineEnd; readonly state: RunState }> {
  const { world, state, tools } = desk
  const startedAt = world.clock.now()
  const lease = await becomeEngine(desk, startedAt)
  const { store } = announcingStore(state.store, drive.heard)
  const { run, noWait, settings } = drive
  const engine = new RunEngine({
    ports: { ...tools, store, activities: state.activities },
    run,
    pid: world.pid,
    noWait,
  })
  try {
    await engine.open()
    const { pausedAt } = engine.state
    if (pausedAt !== null) return { end: pausedEnd(pausedAt), state: engine.state }
    drive.began((request) => engine.request(newRequestId(desk), request))
    await forgetOldStops(desk, engine, run, startedAt)
    if (settings !== null) await engine.request(newRequestId(desk), { kind: 'adopt-settings', ...settings })
    const interrupts = listenForInterrupts(world, engine, drive.say)
    const inbox = serveRequests(store, {
      request(id, request) {
        // Told to stop from outside, it has as long as after Ctrl-C.
        if (request.kind === 'stop-engine') interrupts.end('a person asked the engine to stop')
        return engine.request(id, request)
      },
    })
    // The wait for the end of a pause alone would not keep this process from ending.
    const alive = setInterval(() => {}, KEEP_ALIVE_MS)
    try {
      return { end: await engine.drive(), state: engine.state }
    } finally {
      clearInterval(alive)
      inbox.close()
      await engine.close()
      interrupts.close()
    }
  } finally {
    await lease.release()
  }
}

/** An engine that is paused while it works waits; one that finds the run paused leaves it alone. */
function pausedEnd(since: number): EngineEnd {
  return { kind: 'settled', condition: { kind: 'paused', since } }
}

/** Answers stops that were meant for an engine that died first; taken now, they would stop this one. */
async function forgetOldStops(
  { state }: OpenRepository,
  engine: RunEngine,
  run: RunId,
  startedAt: number,
): Promise<void> {
  for (const { id, body, at } of await state.store.pendingRequests()) {
    if ((body as Request).kind !== 'stop-engine' || at >= startedAt) continue
    // Changes nothing in a run that is open already.
    await engine.request(id, {
      kind: 'open-run',
      run,
      target: '',
      spentBefore: {},
      samplesBefore: {},
      knowledgeBefore: [],
      proposalsBefore: [],
    })
  }
}

function newRequestId({ world }: OpenRepository): RequestId {
  return world.clock.uuid() as RequestId
}

const PATIENCE_MS = 5_000
const LOOK_MS = 50
const KEEP_ALIVE_MS = 1_000_000

/** Takes the lease; another verb that records something has it for a moment only, another engine for long. */
async function becomeEngine({ world, state }: OpenRepository, startedAt: number): Promise<Lease> {
  const { clock, pid } = world
  for (;;) {
    const lease = unwrap(await state.leases.acquire({ pid, startedAt, purpose: RUN_PURPOSE }))
    if (lease.kind === 'lease') return lease
    const isBrief = lease.by?.purpose !== RUN_PURPOSE && clock.now() - startedAt < PATIENCE_MS
    if (!isBrief) throw new ProblemError(engineRunning(lease))
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve))
  }
}

function engineRunning({ by }: LeaseHeld): Problem {
  const isKnown = by !== null && by.pid !== 0
  const who = isKnown ? `Process ${by.pid}` : 'Another process'
  const since = isKnown ? ` since ${dateAndTime(by.startedAt)}` : ''
  return problem({
    code: 'engine-running',
    message: `${who} is the engine of this repository${since}; there can be only one.`,
    hint: 'See it work with "longhaul watch", or end it with "longhaul stop".',
    retry: 'later',
  })
}
