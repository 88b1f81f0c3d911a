import type { Allowance, AttemptLimits, AttemptOutcome, EndCause, WaitFor } from '../model/attempt.ts'
import type { Answer, Message } from '../model/attempt-event.ts'
import type { LandingSubject } from '../model/effect.ts'
import type { AttemptId, Commit, LandingId, MilestoneId, RunId, TaskId, Tree } from '../model/ids.ts'
import type { KnowledgeEntry } from '../model/knowledge.ts'
import type { ProposalRecord } from '../model/proposal.ts'
import type { Protection } from '../model/protection.ts'
import type { Settings } from '../model/settings.ts'
import type { Milestone, Task } from '../model/task.ts'
import { NO_TOTALS, type Samples, type Totals } from '../model/usage.ts'
import type { CanaryState, Finding, Receipt } from '../model/verdict.ts'
import { type Graph, newGraph } from '../schedule/graph.ts'
import { ReadyTasks } from '../schedule/ready-tasks.ts'

export const STANDINGS = [
  'waiting',
  'ready',
  'running',
  'landing',
  'parked',
  'needs-person',
  'done',
  'failed',
  'blocked',
  'skipped',
  'reverted',
] as const
/** State of a task, as shown to people. */
export type Standing = (typeof STANDINGS)[number]

/** A task and its progress. */
export interface TaskRecord {
  task: Task
  /** Position among all tasks, in order of addition. */
  readonly order: number
  readonly attemptsBefore: number
  standing: Standing
  /** Attempts started in this run. */
  started: number
  /** Failed attempts since the user last reopened it. */
  failures: number
  live: AttemptId | null
  last: LastAttempt | null
  landed: { readonly attempt: AttemptId; readonly commit: Commit; readonly receipts: readonly Receipt[] } | null
  /** True when only git knows that it landed: its definition and its proof are lost. */
  isRecovered: boolean
  /** Latest request to revert it that has not succeeded, or null; `root` is the task that the user named. */
  revert:
    | { readonly kind: 'pending'; readonly root: TaskId }
    | { readonly kind: 'refused'; readonly reason: string }
    | null
  /** Commands of its `verify` that passed before any work on it. */
  alreadyGreen: readonly string[]
  /** Final decision on the task: it failed, needs the user, was skipped, or was reverted on request. */
  verdict: Verdict | null
  /** Messages of the user, numbered from 1; every attempt gets all of them. */
  readonly steering: string[]
  /** Replies of the user to waiting attempts. */
  readonly answers: Answer[]
  totals: Totals
  /** Time spent in rounds since the user last reopened it. */
  activeMs: number
}

interface Verdict {
  readonly kind: 'failed' | 'held' | 'skipped' | 'reverted'
  readonly reason: string
  readonly hint: string
}

/** Number of open and ended tasks of a milestone, without blocked ones. */
export interface MilestoneProgress {
  open: number
  ended: number
  /** Number of summaries so far. */
  summaries: number
  /** Current summary, or null until the milestone has finished and was summarized. */
  summary: { readonly text: string | null; readonly by: 'judge' | 'facts'; readonly why: string } | null
}

/** End of a task's latest attempt. */
export interface LastAttempt {
  readonly attempt: AttemptId
  readonly outcome: AttemptOutcome
  readonly cause: EndCause
  readonly reason: string
  /** Phase that it ended in. */
  readonly phase: string
  /** Digest of the last hand-off note, or null when there was no hand-off. */
  readonly note: string | null
  readonly commit: Commit | null
  readonly findings: readonly Finding[]
}

/** An attempt that has not ended. */
export interface AttemptRecord {
  readonly attempt: AttemptId
  readonly task: TaskId
  readonly number: number
  readonly base: Commit
  readonly allowance: Allowance | null
  readonly retryBrief: string | null
  readonly knowledge: string
  readonly limits: AttemptLimits
  credential: string
  readonly startedAt: number
  /** `returned`: sent back and needs a slot; `closing`: landed or stopped, cleaning up. */
  standing: 'working' | 'waiting' | 'returned' | 'ready' | 'closing'
  /** True while it works; a stopped attempt keeps its slot until its agent has ended. */
  holdsSlot: boolean
  stretch: number
  /** Position in its ledger up to which the run has followed it. */
  seq: number
  wait: WaitFor | null
  reason: string
  commit: Commit | null
  tree: Tree | null
  /** Findings that the user has allowed. */
  readonly allowed: Set<string>
}

/** Entry of the landing queue. */
export interface LandingRecord {
  readonly id: LandingId
  readonly subject: LandingSubject
  candidate: {
    readonly line: Commit
    /** Landing line merged with the user's new commits. */
    readonly base: Commit
    readonly commit: Commit
    readonly tree: Tree
    readonly target: Commit
  } | null
  receipts: readonly Receipt[] | null
  stale: number
}

/** State of a run, folded from its ledger. Only `evolve` changes it; indexes keep every step independent of finished tasks. */
export interface RunState {
  id: RunId | null
  target: string
  settings: Settings | null
  settingsDigest: string
  /** Number of times that settings were adopted, and the last time that checks changed with them. */
  adoptions: number
  checksAdopted: number
  /** Reason why changed settings were rejected, or null when the file is in force. */
  settingsFault: string | null
  /** Sandbox of the last engine; null when it is not known. */
  protection: Protection | null
  spentBefore: Readonly<Record<string, number>>
  /** Turns and time of landed tasks, in this run and before it. */
  samples: Samples
  openedAt: number
  startedAt: number | null
  endedAt: number | null
  /** Time of the pause, or null when the run is not paused. */
  pausedAt: number | null
  pauses: number
  readonly graph: Graph
  readonly milestones: Map<MilestoneId, Milestone>
  /** Progress of each milestone. */
  readonly progress: Map<MilestoneId, MilestoneProgress>
  /** Finished milestones without a summary. */
  readonly unsummarized: Set<MilestoneId>
  readonly tasks: Map<TaskId, TaskRecord>
  readonly counts: Record<Standing, number>
  /** Tasks that could start now. */
  readonly ready: ReadyTasks
  readonly attempts: Map<AttemptId, AttemptRecord>
  /** Attempts that are working or closing. */
  readonly working: Set<AttemptId>
  /** Attempts that resume without the user: after a wait with an end, or with work sent back. */
  readonly pending: Set<AttemptId>
  /** Tasks that restart once their stopped attempt has ended. */
  readonly reopening: Set<TaskId>
  /** Messages that attempts have not received yet. */
  readonly messages: Map<string, { readonly attempt: AttemptId; readonly message: Message }>
  readonly landings: LandingRecord[]
  /** Landing line, and the target branch as last read. */
  line: { readonly line: Commit; readonly target: Commit } | null
  /** Tree of the landing line. */
  lineTree: Tree | null
  /** Reason why landing is on hold until the user acts. */
  lineHeld: { readonly reason: string; readonly hint: string } | null
  baseline: { readonly passed: boolean; readonly findings: readonly Finding[]; readonly isDead: boolean } | null
  /** Outcomes of canaries by the definition of their check. */
  readonly canaries: Map<string, CanaryState>
  /** Reason why the target branch cannot be updated for now. */
  targetHeld: {
    readonly commit: Commit
    readonly reason: string
    readonly command: string | null
    readonly until: number
    readonly tries: number
  } | null
  readonly limits: Map<string, { readonly until: number; readonly estimated: boolean }>
  /** Tasks proposed by agents that the user has not decided on. */
  readonly proposals: Map<TaskId, ProposalRecord>
  /** Proposals that the user declined. */
  readonly declined: Set<TaskId>
  /** Knowledge recorded by agents, in this run and before it, newest last. */
  knowledge: readonly KnowledgeEntry[]
  totals: Totals
  readonly budgetWarnings: Set<string>
}

/** Returns the state of a run without facts. */
export function newRun(): RunState {
  return {
    id: null,
    target: '',
    settings: null,
    settingsDigest: '',
    adoptions: 0,
    checksAdopted: 0,
    settingsFault: null,
    protection: null,
    spentBefore: {},
    samples: {},
    openedAt: 0,
    startedAt: null,
    endedAt: null,
    pausedAt: null,
    pauses: 0,
    graph: newGraph(),
    milestones: new Map(),
    progress: new Map(),
    unsummarized: new Set(),
    tasks: new Map(),
    counts: Object.fromEntries(STANDINGS.map((standing) => [standing, 0])) as Record<Standing, number>,
    ready: new ReadyTasks(),
    attempts: new Map(),
    working: new Set(),
    pending: new Set(),
    reopening: new Set(),
    messages: new Map(),
    landings: [],
    line: null,
    lineTree: null,
    lineHeld: null,
    baseline: null,
    canaries: new Map(),
    targetHeld: null,
    limits: new Map(),
    proposals: new Map(),
    declined: new Set(),
    knowledge: [],
    totals: NO_TOTALS,
    budgetWarnings: new Set(),
  }
}

/** Returns the settings of a run; throws before they were adopted. */
export function settingsOf(state: RunState): Settings {
  if (state.settings === null) throw new Error('the run has no settings yet')
  return state.settings
}

/** Returns the cost of a day in USD, over this and earlier runs, without live attempts. */
export function spentOn(state: RunState, day: string): number {
  return (state.spentBefore[day] ?? 0) + (state.totals.usdByDay[day] ?? 0)
}

export function taskOf(state: RunState, task: TaskId): TaskRecord {
  const record = state.tasks.get(task)
  if (record === undefined) throw new Error(`no task ${task} in the run`)
  return record
}

export function attemptOf(state: RunState, attempt: AttemptId): AttemptRecord {
  const record = state.attempts.get(attempt)
  if (record === undefined) throw new Error(`no live attempt ${attempt} in the run`)
  return record
}
