import type { RequestId, RunId } from '../../../core/model/ids.ts'
import type { Request } from '../../../core/model/input.ts'
import { engineWithoutState, isEngineWithoutState } from '../../../core/model/lease.ts'
import { type Problem, ProblemError, problem, unwrap } from '../../../core/model/problem.ts'
import { decideRun } from '../../../core/run/decide.ts'
import { newRun, type RunState } from '../../../core/run/state.ts'
import { type RequestAnswer, sendRequest } from '../../../engine/requests.ts'
import { RunEngine } from '../../../engine/run-engine.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { VerbContext } from '../verb.ts'
import { announcingStore } from './announcing-store.ts'
import { lostState } from './landed-before.ts'
import { findRepository, type OpenRepository, openRepositoryFor, type ReadSettings } from './open-repository.ts'
import {
  currentRun,
  foldRun,
  lastSamples,
  leftBefore,
  newRunId,
  openRun,
  type RunFound,
  readRuns,
  spentByDay,
} from './runs.ts'
import { newTarget, targetProblem } from './target.ts'

/** A request to a repository's run. */
export interface RunRequest {
  /** Purpose that the lease shows while this process records the request itself. */
  readonly purpose: string
  readonly request: Request
  /** Settings to open a new run with when none is open, or null when only an existing run can be asked. */
  readonly opening: ReadSettings | null
}

export interface AcceptedRequest {
  /** Number of recorded events by kind. */
  readonly counts: Readonly<Record<string, number>>
  /** True when a running engine answered, and acts on the request. */
  readonly byEngine: boolean
}

/** Sends a request to the running engine; without one, records it under the lease. A refusal ends the verb. */
export async function askRun(open: OpenRepository, runRequest: RunRequest): Promise<AcceptedRequest> {
  const { world, state } = open
  for (;;) {
    const requestId = world.clock.uuid() as RequestId
    const answer = await askOnce(open, runRequest, requestId)
    if (answer.kind === 'accepted') return { counts: answer.counts, byEngine: answer.byEngine }
    if (answer.problem.code !== 'run-ended' || runRequest.opening === null) throw new ProblemError(answer.problem)
    // The engine's run ended before it read the request; once that engine has exited, a new run can be opened.
    if ((await state.leases.holder()) !== null) await wait(world.clock, RETRY_MS)
  }
}

export interface AnsweredByRun extends AcceptedRequest {
  readonly request: Request
  /** State of the run after the request. */
  readonly state: RunState
}

/** Sends a request to the repository's current run. A repository without a run, or a refusal, ends the verb. */
export async function askCurrentRun(
  { world }: VerbContext,
  purpose: string,
  requestFor: (open: OpenRepository) => Promise<Request>,
): Promise<AnsweredByRun> {
  const repository = await findRepository({ world })
  if (!repository.hasState()) throw new ProblemError(await missingRun(repository))
  const open = await openRepositoryFor(world, repository, 'neither')
  try {
    const request = await requestFor(open)
    const accepted = await askRun(open, { purpose, request, opening: null })
    const { store } = open.state
    const current = currentRun(await readRuns(store))
    if (current === null) throw new ProblemError(noRun())
    return { ...accepted, request, state: await foldRun(store, current.run) }
  } finally {
    await open.close()
  }
}

/** Refuses a request that a new run would refuse, before any state is created. */
export function refuseForNewRun(request: Request): void {
  const decision = decideRun(newRun(), { kind: 'request', id: '' as RequestId, request }, NO_MOMENT)
  if (decision.kind === 'refused') throw new ProblemError(decision.problem)
}

/** Problem of a repository without state: it was lost, or there has been none. */
export async function missingRun(repository: Repository): Promise<Problem> {
  return (await lostState(repository)) ?? noRun()
}

/** Problem of a repository without a run. */
export function noRun(): Problem {
  return problem({
    code: 'no-run',
    message: 'There is no run in this repository yet.',
    hint: 'Add tasks: longhaul import FILE, or longhaul add ID --title TEXT.',
    retry: 'person',
  })
}

const RETRY_MS = 50
const KEEP_ALIVE_MS = 1_000_000
const NO_MOMENT = { at: 0, uuid: '' }

type AnswerFrom = RequestAnswer & { readonly byEngine: boolean }

async function askOnce(open: OpenRepository, runRequest: RunRequest, requestId: RequestId): Promise<AnswerFrom> {
  const { world, state, repository } = open
  const { pid, clock } = world
  for (;;) {
    const lease = unwrap(await state.leases.acquire({ pid, startedAt: clock.now(), purpose: runRequest.purpose }))
    if (lease.kind === 'lease') {
      try {
        return { ...(await answerHere(open, runRequest, requestId)), byEngine: false }
      } finally {
        await lease.release()
      }
    }
    if (isEngineWithoutState(lease)) throw new ProblemError(engineWithoutState(lease, repository.stateFolder))
    const answer = await askEngine(open, runRequest.request, requestId)
    if (answer !== null) return { ...answer, byEngine: true }
  }
}

/** Sends a request to the engine that holds the lease; null when it exits without an answer. */
export async function askEngine(
  { world, state }: Pick<OpenRepository, 'world' | 'state'>,
  request: Request,
  requestId: RequestId,
): Promise<RequestAnswer | null> {
  // Waiting for another process's answer does not keep Node's event loop alive.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS)
  try {
    const isEngineRunning = async () => (await state.leases.holder()) !== null
    return await sendRequest(state.store, { id: requestId, request, at: world.clock.now() }, isEngineRunning)
  } finally {
    clearInterval(alive)
  }
}

/** Answers a request as an engine would, under the lease. */
async function answerHere(open: OpenRepository, runRequest: RunRequest, requestId: RequestId): Promise<RequestAnswer> {
  const { world, state, tools } = open
  // The previous holder of the lease may have answered just before it exited.
  const known = (await state.store.requestAnswer(requestId)) as RequestAnswer | null
  if (known !== null) return known
  const runs = await readRuns(state.store)
  const existing = runRequest.opening === null ? currentRun(runs) : openRun(runs)
  if (existing === null && runRequest.opening === null) throw new ProblemError(noRun())
  const run = existing?.run ?? newRunId(world.clock, runs)
  const { store, trouble } = announcingStore(state.store, () => {})
  const engine = new RunEngine({
    ports: { ...tools, store, activities: state.activities },
    run,
    pid: world.pid,
    noWait: true,
  })
  await engine.open()
  try {
    const refusal = refusalOf(engine.state, runRequest, requestId, existing)
    if (refusal !== null) return { kind: 'refused', problem: refusal }
    if (runRequest.opening !== null) await openRunFor(open, engine, runRequest.opening, { run, runs })
    const decision = await engine.request(requestId, runRequest.request)
    if (decision === null) throw new ProblemError(trouble() ?? notRecorded())
    return (await state.store.requestAnswer(requestId)) as RequestAnswer
  } finally {
    await engine.close()
  }
}

/** Reason to record nothing at all, or null. */
function refusalOf(
  state: RunState,
  { request, opening }: RunRequest,
  requestId: RequestId,
  existing: RunFound | null,
): Problem | null {
  const moved = opening === null || existing === null ? null : targetProblem(existing, opening.values)
  if (moved !== null) return moved
  const decision = decideRun(state, { kind: 'request', id: requestId, request }, NO_MOMENT)
  return decision.kind === 'refused' ? decision.problem : null
}

async function openRunFor(
  { world, repository, tools, state }: OpenRepository,
  engine: RunEngine,
  settings: ReadSettings,
  { run, runs }: { readonly run: RunId; readonly runs: readonly RunFound[] },
): Promise<void> {
  const send = (request: Request) => engine.request(world.clock.uuid() as RequestId, request)
  if (engine.state.id === null) {
    const target = unwrap(await newTarget(repository, settings.values, tools.branch))
    const before = await leftBefore(state.store, runs)
    await send({
      kind: 'open-run',
      run,
      target,
      spentBefore: spentByDay(runs),
      samplesBefore: lastSamples(runs),
      ...before,
    })
  }
  await send({ kind: 'adopt-settings', ...settings })
}

function notRecorded(): Problem {
  return problem({
    code: 'not-recorded',
    message: 'The request could not be recorded.',
    hint: 'Run "longhaul doctor" to see what is wrong.',
    retry: 'later',
  })
}

function wait(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve))
}
