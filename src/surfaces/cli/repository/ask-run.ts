import type { RequestId, RunId } from '../../../core/model/ids.ts'
import type { Request } from '../../../core/model/input.ts'
import { type Problem, ProblemError, problem, unwrap } from '../../../core/model/problem.ts'
import { decideRun } from '../../../core/run/decide.ts'
import { newRun, type RunState } from '../../../core/run/state.ts'
import { type RequestAnswer, sendRequest } from '../../../engine/requests.ts'
import { RunEngine } from '../../../engine/run-engine.ts'
import type { Clock } from '../../../ports/clock.ts'
import { announcingStore } from './announcing-store.ts'
import type { OpenRepository, ReadSettings } from './open-repository.ts'
import { currentRun, lastSamples, leftBefore, newRunId, openRun, type RunFound, readRuns, spentByDay } from './runs.ts'
import { newTarget, targetProblem } from './target.ts'

/** Something asked of a repository's run. */
export interface Order {
  /** What the lease says it is for while we record it ourselves. */
  readonly purpose: string
  readonly request: Request
  /** How to open a run when none is open; null: only a run that is there can be asked. */
  readonly opening: ReadSettings | null
}

export interface Answered {
  readonly counts: Readonly<Record<string, number>>
  /** Whether an engine is running, which goes on from here. */
  readonly byEngine: boolean
}

/** Asks the engine that is running; with none running, takes its place for a moment. A refusal ends the verb. */
export async function askRun(desk: OpenRepository, order: Order): Promise<Answered> {
  const { world, state } = desk
  for (;;) {
    const id = world.clock.uuid() as RequestId
    const answer = await askOnce(desk, order, id)
    if (answer.kind === 'accepted') return { counts: answer.counts, byEngine: answer.byEngine }
    if (answer.problem.code !== 'run-ended' || order.opening === null) throw new ProblemError(answer.problem)
    // The engine's run ended before it saw this; it is about to leave, and then a new run can be opened.
    if ((await state.leases.holder()) !== null) await pause(world.clock, RETRY_MS)
  }
}

/** What a run without any facts would say, before anything is made for it. */
export function refuseForNewRun(request: Request): void {
  const decision = decideRun(newRun(), { kind: 'request', id: '' as RequestId, request }, NO_MOMENT)
  if (decision.kind === 'refused') throw new ProblemError(decision.problem)
}

/** There is nothing to ask. */
export function noRun(): Problem {
  return problem({
    code: 'no-run',
    message: 'There is no run in this repository yet.',
    hint: 'Bring in tasks: longhaul import FILE, or longhaul add ID --title TEXT.',
    retry: 'person',
  })
}

const RETRY_MS = 50
const KEEP_ALIVE_MS = 1_000_000
const NO_MOMENT = { at: 0, uuid: '' }

type OneAnswer = RequestAnswer & { readonly byEngine: boolean }

async function askOnce(desk: OpenRepository, order: Order, id: RequestId): Promise<OneAnswer> {
  const { world, state } = desk
  const { pid, clock } = world
  for (;;) {
    const lease = unwrap(await state.leases.acquire({ pid, startedAt: clock.now(), purpose: order.purpose }))
    if (lease.kind === 'lease') {
      try {
        return { ...(await recordHere(desk, order, id)), byEngine: false }
      } finally {
        await lease.release()
      }
    }
    const answer = await askEngine(desk, order.request, id)
    if (answer !== null) return { ...answer, byEngine: true }
  }
}

/** Leaves a request with the engine that holds the lease; null: it has gone without an answer. */
export async function askEngine(
  { world, state }: Pick<OpenRepository, 'world' | 'state'>,
  request: Request,
  id: RequestId,
): Promise<RequestAnswer | null> {
  // A wait for another process's answer alone would not keep this one from ending.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS)
  try {
    const isEngineRunning = async () => (await state.leases.holder()) !== null
    return await sendRequest(state.store, { id, request, at: world.clock.now() }, isEngineRunning)
  } finally {
    clearInterval(alive)
  }
}

/** Does what an engine would do with the request, under the lease. */
async function recordHere(desk: OpenRepository, order: Order, id: RequestId): Promise<RequestAnswer> {
  const { world, state, tools } = desk
  // The engine that had the lease before us may have answered in its last moment.
  const known = (await state.store.requestAnswer(id)) as RequestAnswer | null
  if (known !== null) return known
  const runs = await readRuns(state.store)
  const found = order.opening === null ? currentRun(runs) : openRun(runs)
  if (found === null && order.opening === null) throw new ProblemError(noRun())
  const run = found?.run ?? newRunId(world.clock, runs)
  const { store, trouble } = announcingStore(state.store, () => {})
  const engine = new RunEngine({
    ports: { ...tools, store, activities: state.activities },
    run,
    pid: world.pid,
    noWait: true,
  })
  await engine.open()
  try {
    const refusal = refusalOf(engine.state, order, id, found)
    if (refusal !== null) return { kind: 'refused', problem: refusal }
    if (order.opening !== null) await openFor(desk, engine, order.opening, { run, runs })
    const decision = await engine.request(id, order.request)
    if (decision === null) throw new ProblemError(trouble() ?? notRecorded())
    return (await state.store.requestAnswer(id)) as RequestAnswer
  } finally {
    await engine.close()
  }
}

/** Why nothing must be recorded at all. */
function refusalOf(
  state: RunState,
  { request, opening }: Order,
  id: RequestId,
  found: RunFound | null,
): Problem | null {
  const moved = opening === null || found === null ? null : targetProblem(found, opening.values)
  if (moved !== null) return moved
  const decision = decideRun(state, { kind: 'request', id, request }, NO_MOMENT)
  return decision.kind === 'refused' ? decision.problem : null
}

async function openFor(
  { world, place, tools, state }: OpenRepository,
  engine: RunEngine,
  settings: ReadSettings,
  { run, runs }: { readonly run: RunId; readonly runs: readonly RunFound[] },
): Promise<void> {
  const put = (request: Request) => engine.request(world.clock.uuid() as RequestId, request)
  if (engine.state.id === null) {
    const target = unwrap(await newTarget(place, settings.values, tools.branch))
    const before = {
      spentBefore: spentByDay(runs),
      samplesBefore: lastSamples(runs),
      ...(await leftBefore(state.store, runs)),
    }
    await put({ kind: 'open-run', run, target, ...before })
  }
  await put({ kind: 'adopt-settings', ...settings })
}

function notRecorded(): Problem {
  return problem({
    code: 'not-recorded',
    message: 'The request could not be recorded.',
    hint: 'Run "longhaul doctor" to see what is wrong.',
    retry: 'later',
  })
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve))
}
