import type { Allowance, AttemptLimits, AttemptOutcome, EndCause, WaitFor } from '../model/attempt.ts'
import type { Answer, Message } from '../model/attempt-event.ts'
import type { LandingSubject } from '../model/effect.ts'
import type { AttemptId, Commit, LandingId, MilestoneId, RunId, TaskId, Tree } from '../model/ids.ts'
import type { KnowledgeEntry } from '../model/knowledge.ts'
import type { ProposalRecord } from '../model/proposal.ts'
import type { Settings } from '../model/settings.ts'
import type { Milestone, Task } from '../model/task.ts'
import { NO_TOTALS, type Samples, type Totals } from '../model/usage.ts'
import type { Finding, Receipt } from '../model/verdict.ts'
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
] as const
/** A task's state, as people see it. */
export type Standing = (typeof STANDINGS)[number]

/** One task, and what has become of it. */
export interface TaskRecord {
  task: Task
  /** Its place among all tasks, as added. */
  readonly order: number
  readonly attemptsBefore: number
  standing: Standing
  /** Attempts started in this run. */
  started: number
  /** Failed attempts since a person last reopened it. */
  failures: number
  live: AttemptId | null
  last: LastAttempt | null
  landed: { readonly attempt: AttemptId; readonly commit: Commit; readonly receipts: readonly Receipt[] } | null
  /** Why it failed for good, is held for a person, or is done without. */
  verdict: { readonly kind: 'failed' | 'held' | 'skipped'; readonly reason: string; readonly hint: string } | null
  /** What a person said about it, the first with number 1; every attempt is told all of it. */
  readonly steering: string[]
  /** What a person said to attempts at it that waited for them. */
  readonly answers: Answer[]
  totals: Totals
  /** How long rounds of its attempts took, since a person last reopened it. */
  activeMs: number
}

/** How the tasks of a milestone stand together; those that are blocked count for nothing. */
export interface MilestoneProgress {
  open: number
  ended: number
  /** How often it has been summed up. */
  summaries: number
  /** What it came to; null: it is not over, or has still to be summed up. */
  summary: { readonly text: string | null; readonly by: 'judge' | 'facts'; readonly why: string } | null
}

/** How a task's latest attempt ended. */
export interface LastAttempt {
  readonly attempt: AttemptId
  readonly outcome: AttemptOutcome
  readonly cause: EndCause
  readonly reason: string
  /** Phase that it ended in. */
  readonly phase: string
  /** Digest of the last hand-off note; null: there was no hand-off. */
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
  /** `returned`: sent back from landing, wants a slot; `closing`: landed or stopped, tidies up. */
  standing: 'working' | 'waiting' | 'returned' | 'ready' | 'closing'
  /** While it works, and once it is stopped at work until it has ended: its agent is there until then. */
  holdsSlot: boolean
  stretch: number
  /** The place in its ledger up to which the run has taken it over. */
  seq: number
  wait: WaitFor | null
  reason: string
  commit: Commit | null
  tree: Tree | null
  /** Findings that a person has let be. */
  readonly allowed: Set<string>
}

/** One entry of the landing queue. */
export interface LandingRecord {
  readonly id: LandingId
  readonly subject: LandingSubject
  candidate: {
    readonly line: Commit
    /** The line with the user's own new commits. */
    readonly base: Commit
    readonly commit: Commit
    readonly tree: Tree
    readonly target: Commit
  } | null
  receipts: readonly Receipt[] | null
  stale: number
}

/** A run, folded from its ledger. Owned and changed by `evolve` alone; indexed, so that no step grows with finished tasks. */
export interface RunState {
  id: RunId | null
  target: string
  settings: Settings | null
  settingsDigest: string
  spentBefore: Readonly<Record<string, number>>
  /** What tasks that landed took, in this run and before it. */
  samples: Samples
  openedAt: number
  startedAt: number | null
  endedAt: number | null
  /** Since when nothing new starts; null: it is not paused. */
  pausedAt: number | null
  pauses: number
  readonly graph: Graph
  readonly milestones: Map<MilestoneId, Milestone>
  /** How each milestone's tasks stand together. */
  readonly progress: Map<MilestoneId, MilestoneProgress>
  /** Milestones that are over and have still to be summed up. */
  readonly unsummarized: Set<MilestoneId>
  readonly tasks: Map<TaskId, TaskRecord>
  readonly counts: Record<Standing, number>
  /** Tasks that could start now. */
  readonly ready: ReadyTasks
  readonly attempts: Map<AttemptId, AttemptRecord>
  /** Those that are worked on: working or closing. */
  readonly working: Set<AttemptId>
  /** Those that go on by themselves once they may: a wait with an end, or work sent back. */
  readonly pending: Set<AttemptId>
  /** Tasks that start anew once their stopped attempt has ended. */
  readonly reopening: Set<TaskId>
  /** What attempts have not been told yet. */
  readonly messages: Map<string, { readonly attempt: AttemptId; readonly message: Message }>
  readonly landings: LandingRecord[]
  /** Where the line stands, and the target when we last saw it. */
  line: { readonly line: Commit; readonly target: Commit } | null
  /** The files of the line when it was opened. */
  baselineTree: Tree | null
  /** Why the line cannot move before a person has acted. */
  lineHeld: { readonly reason: string; readonly hint: string } | null
  baseline: { readonly passed: boolean; readonly findings: readonly Finding[] } | null
  /** Why the target cannot follow for now. */
  targetHeld: {
    readonly commit: Commit
    readonly reason: string
    readonly command: string | null
    readonly until: number
    readonly tries: number
  } | null
  readonly limits: Map<string, { readonly until: number; readonly estimated: boolean }>
  /** Tasks that agents would like to be added, by their ids; a person decides. */
  readonly proposals: Map<TaskId, ProposalRecord>
  /** Proposals that a person did not want. */
  readonly declined: Set<TaskId>
  /** What agents have learned, in this run and before it; the newest last. */
  knowledge: readonly KnowledgeEntry[]
  totals: Totals
  readonly budgetWarnings: Set<string>
}

/** A run of which nothing is known yet. */
export function newRun(): RunState {
  return {
    id: null,
    target: '',
    settings: null,
    settingsDigest: '',
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
    baselineTree: null,
    lineHeld: null,
    baseline: null,
    targetHeld: null,
    limits: new Map(),
    proposals: new Map(),
    declined: new Set(),
    knowledge: [],
    totals: NO_TOTALS,
    budgetWarnings: new Set(),
  }
}

/** The settings of a run that has been opened. */
export function settingsOf(state: RunState): Settings {
  if (state.settings === null) throw new Error('the run has no settings yet')
  return state.settings
}

/** What this run and those before it have spent on a day, in attempts that have ended. */
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
