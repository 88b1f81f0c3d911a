import type { RequestId, RunId } from '../../../core/model/ids.ts'
import type { Decision, Request } from '../../../core/model/input.ts'
import { engineWithoutState, isEngineWithoutState, type LeaseHeld, RUN_PURPOSE } from '../../../core/model/lease.ts'
import { type Problem, ProblemError, problem, unwrap } from '../../../core/model/problem.ts'
import type { RunEvent } from '../../../core/model/run-event.ts'
import type { RunState } from '../../../core/run/state.ts'
import { serveRequests } from '../../../engine/requests.ts'
import { type EngineEnd, RunEngine } from '../../../engine/run-engine.ts'
import type { Lease } from '../../../ports/store.ts'
import { listenForInterrupts } from '../interrupts.ts'
import { dateAndTime } from '../render/times.ts'
import { type AnnouncedEvent, announcingStore } from './announcing-store.ts'
import { followSettings, type SettingsToFollow } from './follow-settings.ts'
import type { OpenRepository } from './open-repository.ts'
import { isStateLost, saveLostState } from './save-lost-state.ts'

export interface Drive {
  readonly run: RunId
  readonly noWait: boolean
  /** Refuses a run that cannot work, under the lease; returns settings to adopt and follow, or null to keep the run's. */
  prepare(): Promise<SettingsToFollow | null>
  /** Called once this process holds the lease and the run accepts requests. */
  started(ask: AskRun): void
  announce(event: AnnouncedEvent): void
  say(text: string): void
}

/** Sends a request to the run that this process drives; null when its engine has failed. */
export type AskRun = (request: Request) => Promise<Decision<RunEvent> | null>

/** Drives a run as its engine until it ends, waits for a person or is stopped. */
export async function driveHere(
  open: OpenRepository,
  drive: Drive,
): Promise<{ readonly end: EngineEnd; readonly state: RunState }> {
  const { world, state, tools } = open
  const startedAt = world.clock.now()
  const lease = await becomeEngine(open, startedAt)
  const { store } = announcingStore(state.store, drive.announce)
  const { run, noWait } = drive
  const engine = new RunEngine({
    ports: { ...tools, store, activities: state.activities },
    run,
    pid: world.pid,
    noWait,
  })
  try {
    const settings = await drive.prepare()
    await engine.open()
    const { pausedAt } = engine.state
    if (pausedAt !== null) return { end: pausedEnd(pausedAt), state: engine.state }
    const ask: AskRun = (request) => engine.request(newRequestId(open), request)
    drive.started(ask)
    await answerStaleStops(open, engine, run, startedAt)
    if (settings !== null) await ask({ kind: 'adopt-settings', ...settings.current })
    const interrupts = listenForInterrupts(world, engine, drive.say)
    const following = settings === null ? null : followSettings(world.clock, settings, ask)
    const inbox = serveRequests(store, {
      request(id, request) {
        // A stop request has the same grace period as Ctrl-C.
        if (request.kind === 'stop-engine') interrupts.end('"longhaul stop" was run')
        return engine.request(id, request)
      },
    })
    store.watchFiles((problem) => engine.halt(problem))
    // Waiting for the end of a pause does not keep Node's event loop alive.
    const alive = setInterval(() => {}, KEEP_ALIVE_MS)
    try {
      const end = await engine.drive()
      if (end.kind !== 'halted' || !isStateLost(end.problem)) return { end, state: engine.state }
      await engine.close()
      return { end: { ...end, problem: await saveLostState(open, engine.state, end.problem) }, state: engine.state }
    } finally {
      clearInterval(alive)
      following?.close()
      inbox.close()
      await engine.close()
      interrupts.close()
    }
  } finally {
    await lease.release()
  }
}

/** End of an engine that finds the run paused; one that is paused while it works waits instead. */
function pausedEnd(since: number): EngineEnd {
  return { kind: 'settled', condition: { kind: 'paused', since } }
}

/** Answers stop requests for an engine that died before reading them; unanswered, they would stop this one. */
async function answerStaleStops(
  { state }: OpenRepository,
  engine: RunEngine,
  run: RunId,
  startedAt: number,
): Promise<void> {
  for (const { id, body, at } of await state.store.pendingRequests()) {
    if ((body as Request).kind !== 'stop-engine' || at >= startedAt) continue
    // Has no effect on a run that is already open.
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

const VERB_LEASE_MS_MAX = 5_000
const LOOK_MS = 50
const KEEP_ALIVE_MS = 1_000_000

/** Takes the lease; waits for a verb that holds it briefly, refuses when another engine holds it. */
async function becomeEngine({ world, state, repository }: OpenRepository, startedAt: number): Promise<Lease> {
  const { clock, pid } = world
  for (;;) {
    const lease = unwrap(await state.leases.acquire({ pid, startedAt, purpose: RUN_PURPOSE }))
    if (lease.kind === 'lease') return lease
    if (isEngineWithoutState(lease)) throw new ProblemError(engineWithoutState(lease, repository.stateFolder))
    const isBrief = lease.by?.purpose !== RUN_PURPOSE && clock.now() - startedAt < VERB_LEASE_MS_MAX
    if (!isBrief) throw new ProblemError(engineRunning(lease))
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve))
  }
}

function engineRunning({ by }: LeaseHeld): Problem {
  const isKnown = by !== null && by.pid !== 0
  const holder = isKnown
    ? `Process ${by.pid} has been the engine of this repository since ${dateAndTime(by.startedAt)}`
    : 'Another process is the engine of this repository'
  return problem({
    code: 'engine-running',
    message: `${holder}; only one can run.`,
    hint: 'Follow it with "longhaul watch", or stop it with "longhaul stop".',
    retry: 'later',
  })
}
