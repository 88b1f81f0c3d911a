import type { AttemptState } from '../attempt/state.ts'
import { occupancy } from '../context/occupancy.ts'
import type { ShownActivity } from '../model/activity.ts'
import type { AttemptId, Commit, RunId, SessionId, TaskId } from '../model/ids.ts'
import type { SandboxLevel } from '../model/settings.ts'
import { addTotals, type Tokens, type Totals } from '../model/usage.ts'
import { runCondition } from '../run/run-condition.ts'
import { settleRun } from '../run/settle.ts'
import type { RunState, Standing, TaskRecord } from '../run/state.ts'
import { activityWord, currentActivity } from './activity.ts'
import { proofOf } from './proof.ts'
import { type ReasonSources, taskReasons } from './task-reason.ts'

/** State of a run and all its tasks; unknown values are null, never absent. */
export interface Status {
  readonly run: {
    readonly id: RunId
    readonly state: RunStanding
    readonly startedAt: string | null
    readonly endedAt: string | null
    readonly target: string
    readonly targetBehind: boolean
    /** Sandbox of its last engine, and why there was none; null before the first engine. */
    readonly sandbox: { readonly level: SandboxLevel | 'none'; readonly why: string | null } | null
  } | null
  readonly tasks: readonly TaskStatus[]
  readonly limits: readonly { readonly what: string; readonly until: string }[]
  readonly totals: { readonly usd: number; readonly turns: number; readonly tokens: Tokens }
  /** Tasks that agents proposed and the user has not decided on. */
  readonly proposals: readonly ProposalStatus[]
  /** Number of knowledge entries. */
  readonly knowledge: number
}

export interface ProposalStatus {
  readonly id: TaskId
  readonly title: string
  /** The task whose agent proposed it. */
  readonly by: TaskId
}

export type RunStanding = 'open' | 'running' | 'paused' | 'parked' | 'waiting' | 'ended'

export interface TaskStatus {
  readonly id: TaskId
  readonly title: string
  readonly state: Standing
  readonly phase: string | null
  readonly attempts: number
  /** Why it is in this state, on one line. */
  readonly reason: string | null
  /** Branch with work that has not landed. */
  readonly branch: string | null
  /** Landed commit. */
  readonly commit: Commit | null
  readonly proof: string | null
  /** Commands of its `verify` that passed before any work on it. */
  readonly alreadyGreen: readonly string[]
  /** Requested revert that has not succeeded. */
  readonly revert: 'pending' | 'refused' | null
  readonly spendUsd: number | null
  readonly session: SessionStatus | null
}

export interface SessionStatus {
  readonly id: SessionId
  readonly driver: string
  readonly model: string | null
  /** idle, waiting, streaming, tool:NAME, processing, retrying until TIME; or null when unknown. */
  readonly activity: string | null
  readonly contextUsed: number | null
  readonly contextSize: number | null
  readonly handOffs: number
  /** Model calls of the current round, or of the last one. */
  readonly turns: number
  /** Turn limit of the current round, or null between rounds. */
  readonly turnsMax: number | null
}

/** Inputs of a status. */
export interface StatusSources extends ReasonSources {
  /** Live attempts, folded from their ledgers. */
  readonly attempts: ReadonlyMap<AttemptId, AttemptState>
  readonly targetBehind: boolean
  /** Current activity of live sessions, as reported by their engine. */
  readonly activities: ReadonlyMap<AttemptId, ShownActivity>
  branchOf(attempt: AttemptId): string
}

/** Status of a repository without a run. */
export const NO_RUN: Status = {
  run: null,
  tasks: [],
  limits: [],
  totals: { usd: 0, turns: 0, tokens: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 } },
  proposals: [],
  knowledge: 0,
}

/** Builds the status of a run. */
export function statusOf(sources: StatusSources): Status {
  const { run, attempts } = sources
  if (run.id === null) return NO_RUN
  const reasonOf = taskReasons(sources)
  const { usd, turns, tokens } = [...attempts.values()].reduce<Totals>(
    (sum, attempt) => addTotals(sum, attempt.totals),
    run.totals,
  )
  return {
    run: {
      id: run.id,
      state: runStanding(sources),
      startedAt: run.startedAt === null ? null : isoTime(run.startedAt),
      endedAt: run.endedAt === null ? null : isoTime(run.endedAt),
      target: run.target,
      targetBehind: sources.targetBehind,
      sandbox: sandboxOf(run),
    },
    tasks: [...run.tasks.values()].map((record) => taskStatus(sources, record, reasonOf(record))),
    limits: [...run.limits].map(([what, { until }]) => ({ what, until: isoTime(until) })),
    totals: { usd, turns, tokens },
    proposals: [...run.proposals.values()].map(({ proposal, task }) => {
      return { id: proposal.id, title: proposal.title, by: task }
    }),
    knowledge: run.knowledge.length,
  }
}

function sandboxOf({ protection }: RunState): NonNullable<Status['run']>['sandbox'] {
  if (protection === null) return null
  return protection.kind === 'none' ? { level: 'none', why: protection.why } : { level: protection.level, why: null }
}

/** True when the landing line has work that the target branch lacked when it was last read. */
export function isTargetBehind(run: RunState): boolean {
  return run.line !== null && run.line.line !== run.line.target
}

/** Returns the state of a run as one word. */
export function runStanding({ run, at, isDriven }: Pick<StatusSources, 'run' | 'at' | 'isDriven'>): RunStanding {
  if (run.endedAt !== null) return 'ended'
  if (run.pausedAt !== null) return 'paused'
  // Settling is pure: this only asks for the next step of a driven run and records nothing.
  const isSettled = settleRun(run, { at, uuid: NIL_UUID }).length === 0
  const condition = runCondition(run, at)
  if (condition.kind === 'parked' && isSettled) return 'parked'
  if (isDriven) return 'running'
  return condition.kind === 'waiting' && isSettled ? 'waiting' : 'open'
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000'

function taskStatus(sources: StatusSources, record: TaskRecord, reason: string | null): TaskStatus {
  const { run, attempts, branchOf } = sources
  const { task, standing, landed, live } = record
  const attempt = live === null ? null : (attempts.get(live) ?? null)
  const worked = workedOn(record, attempt)
  return {
    id: task.id,
    title: task.title,
    state: standing,
    phase: landed === null ? phaseOf(run, record, attempt) : null,
    attempts: record.started,
    reason,
    branch: landed !== null || worked === null ? null : branchOf(worked),
    commit: landed?.commit ?? null,
    proof: landed === null ? null : proofOf(landed.receipts),
    alreadyGreen: record.alreadyGreen,
    revert: record.revert?.kind ?? null,
    spendUsd: attempt?.unpriced ? null : record.totals.usd + (attempt?.totals.usd ?? 0),
    session: landed !== null || attempt === null ? null : sessionOf(sources, attempt),
  }
}

function phaseOf(run: RunState, { live }: TaskRecord, attempt: AttemptState | null): string | null {
  if (live === null || !run.attempts.has(live)) return null
  return attempt?.phase ?? 'implement'
}

/** Returns the attempt whose branch has the task's latest work. */
function workedOn({ live, last }: TaskRecord, attempt: AttemptState | null): AttemptId | null {
  if (live !== null && attempt !== null && attempt.checkpoints > 0) return live
  return last !== null && last.commit !== null ? last.attempt : null
}

function sessionOf(sources: StatusSources, attempt: AttemptState): SessionStatus | null {
  const { session, spec, handOffs, doing, roundTurns } = attempt
  if (session === null || spec === null) return null
  const held = occupancy(session.used, session.window, spec.context)
  const activity = currentActivity(attempt, sources.activities.get(spec.attempt), sources)
  return {
    id: session.id,
    driver: spec.agent.driver,
    model: session.model ?? spec.agent.model,
    activity: activity === null ? null : activityWord(activity),
    contextUsed: held?.used ?? null,
    contextSize: held?.size ?? session.window,
    handOffs,
    turns: roundTurns,
    turnsMax: doing.kind === 'round' ? doing.turnsMax : null,
  }
}

function isoTime(at: number): string {
  return new Date(at).toISOString()
}
