import { evolveAttempt } from '../../../core/attempt/evolve.ts'
import { type AttemptState, newAttempt } from '../../../core/attempt/state.ts'
import type { AttemptEvent } from '../../../core/model/attempt-event.ts'
import { type AttemptId, attemptLedger, type RunId, runLedger, type TaskId } from '../../../core/model/ids.ts'
import type { Request } from '../../../core/model/input.ts'
import { RUN_PURPOSE } from '../../../core/model/lease.ts'
import type { RunEvent } from '../../../core/model/run-event.ts'
import type { Samples } from '../../../core/model/usage.ts'
import { proposalsLeft } from '../../../core/run/decide-proposal.ts'
import { evolveRun } from '../../../core/run/evolve.ts'
import { newRun, type RunState } from '../../../core/run/state.ts'
import type { RunSummary } from '../../../core/views/run-summary.ts'
import { isTargetBehind, type Status, statusOf } from '../../../core/views/status.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import type { Store } from '../../../ports/store.ts'
import { timeFormatter } from '../render/times.ts'
import type { OpenRepository } from './open-repository.ts'

/** A run and its summary row. */
export interface RunFound {
  readonly run: RunId
  readonly summary: RunSummary
}

/** Reads all runs of a repository, oldest first. */
export async function readRuns(store: Store): Promise<readonly RunFound[]> {
  return (await store.runs()).map(({ run, row }) => ({ run, summary: row as RunSummary }))
}

/** Returns the run that accepts new tasks, or null. */
export function openRun(runs: readonly RunFound[]): RunFound | null {
  return runs.findLast(({ summary }) => summary.endedAt === null) ?? null
}

/** Returns the open run, else the last one, or null. */
export function currentRun(runs: readonly RunFound[]): RunFound | null {
  return openRun(runs) ?? runs.at(-1) ?? null
}

/** Sums the US dollars that runs have spent, by day. */
export function spentByDay(runs: readonly RunFound[]): Readonly<Record<string, number>> {
  const spent: Record<string, number> = {}
  for (const { summary } of runs) {
    for (const [day, usd] of Object.entries(summary.usdByDay)) spent[day] = (spent[day] ?? 0) + usd
  }
  return spent
}

/** Returns the turns and cost that landed tasks of all runs took. */
export function lastSamples(runs: readonly RunFound[]): Samples {
  return runs.at(-1)?.summary.samples ?? {}
}

/** Reads what a new run inherits: knowledge from all runs, and proposals without a decision. */
export async function leftBefore(store: Store, runs: readonly RunFound[]): Promise<LeftBefore> {
  const last = runs.at(-1)
  const state = last === undefined ? newRun() : await foldRun(store, last.run)
  return { knowledgeBefore: state.knowledge, proposalsBefore: proposalsLeft(state) }
}

type LeftBefore = Pick<Extract<Request, { kind: 'open-run' }>, 'knowledgeBefore' | 'proposalsBefore'>

/** Names a new run after its day and minute (UTC), with four characters to make it unique. */
export function newRunId(clock: Clock, runs: readonly RunFound[]): RunId {
  const minute = new Date(clock.now()).toISOString().slice(0, 16).replace('T', '-').replace(':', '')
  for (;;) {
    const id = `${minute}-${clock.uuid().slice(0, 4)}` as RunId
    if (!runs.some(({ run }) => run === id)) return id
  }
}

/** Folds a run's state from its ledger. */
export async function foldRun(store: Store, run: RunId): Promise<RunState> {
  const state = newRun()
  for await (const chunk of store.read(runLedger(run), 0)) {
    for (const { event, at } of chunk) evolveRun(state, event as RunEvent, at)
  }
  return state
}

/** Reads the current status of a run. */
export async function readStatus(
  repository: Repository,
  { store, leases, activities }: State,
  run: RunState,
  clock: Clock,
): Promise<Status> {
  const attempts = new Map<AttemptId, AttemptState>()
  for (const attempt of run.attempts.keys()) attempts.set(attempt, await foldAttempt(store, attempt))
  const at = clock.now()
  return statusOf({
    run,
    attempts,
    isDriven: (await leases.holder())?.purpose === RUN_PURPOSE,
    targetBehind: await isBehind(repository, run),
    activities: activities.read(),
    at,
    formatTime: timeFormatter(at),
    branchOf: repository.branchOf,
  })
}

/** Folds an attempt's state from its ledger. */
export async function foldAttempt(store: Store, attempt: AttemptId): Promise<AttemptState> {
  const state = newAttempt()
  for await (const chunk of store.read(attemptLedger(attempt), 0)) {
    for (const { event, at } of chunk) evolveAttempt(state, event as AttemptEvent, at)
  }
  return state
}

/** Checks whether the target is behind; the ledger has its last known commit, and a person may have moved it since. */
async function isBehind(repository: Repository, run: RunState): Promise<boolean> {
  if (run.line === null || !isTargetBehind(run)) return false
  return !(await repository.branchHas(run.target, run.line.line))
}

/** Number of attempts at tasks with these ids, in all runs of the repository. */
export async function attemptsBefore(
  { state, tools }: OpenRepository,
  tasks: readonly TaskId[],
): Promise<Readonly<Record<string, number>>> {
  const highest = new Map(await tools.landing.attemptNumbers())
  for (const ledger of await state.store.ledgers('attempt/')) {
    const [, task = '', number = '0'] = /^attempt\/(.+)-a(\d+)$/.exec(ledger) ?? []
    highest.set(task, Math.max(highest.get(task) ?? 0, Number(number)))
  }
  return Object.fromEntries(tasks.flatMap((id) => (highest.has(id) ? [[id, highest.get(id) ?? 0]] : [])))
}
