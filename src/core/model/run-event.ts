import type { Allowance, AttemptLimits, AttemptOutcome, EndCause, WaitFor } from './attempt.ts'
import type { Answer } from './attempt-event.ts'
import type { AttemptId, Commit, LandingId, MilestoneId, RunId, TaskId, Tree } from './ids.ts'
import type { Knowledge, KnowledgeEntry } from './knowledge.ts'
import type { CarriedTask, RecoveredTask } from './landed-work.ts'
import type { Proposal, ProposalRecord } from './proposal.ts'
import type { Protection } from './protection.ts'
import type { Settings } from './settings.ts'
import type { Milestone, Task } from './task.ts'
import type { Sample, Samples, Totals } from './usage.ts'
import type { Finding, Receipt } from './verdict.ts'

/** Facts of one run. Copies from an attempt's ledger name their position there (`seq`). */
export type RunEvent =
  | {
      readonly kind: 'run-opened'
      readonly run: RunId
      readonly target: string
      /** Spending of earlier runs in this repository, by day. */
      readonly spentBefore: Readonly<Record<string, number>>
      /** Samples of landed tasks of earlier runs. */
      readonly samplesBefore: Samples
      /** Knowledge from earlier runs. */
      readonly knowledgeBefore: readonly KnowledgeEntry[]
      /** Proposals of earlier runs that wait for a decision. */
      readonly proposalsBefore: readonly ProposalRecord[]
    }
  /** An engine drives the run and retries held work. */
  /** `protection` is missing in facts of versions without a sandbox. */
  | { readonly kind: 'engine-started'; readonly pid: number; readonly protection?: Protection }
  /** `changed` names the keys whose values differ from before, `fixed` those that keep their old value until the run ends. */
  | {
      readonly kind: 'settings-adopted'
      readonly values: Settings
      readonly digest: string
      readonly changed: readonly string[]
      readonly fixed: readonly string[]
    }
  /** Changed settings cannot be used; those adopted last stay in force. */
  | { readonly kind: 'settings-rejected'; readonly reason: string }
  | { readonly kind: 'milestone-added'; readonly milestone: Milestone }
  /** `attemptsBefore` counts attempts at tasks of this name in earlier runs. */
  | { readonly kind: 'task-added'; readonly task: Task; readonly attemptsBefore: number }
  /** A task that an earlier run landed is now part of this one. */
  | ({ readonly kind: 'task-carried-over' } & CarriedTask)
  /** The state was lost, and git knows that the task had landed; its proof is gone. */
  | ({ readonly kind: 'task-recovered' } & RecoveredTask)
  | { readonly kind: 'task-changed'; readonly task: Task }
  | { readonly kind: 'milestone-changed'; readonly milestone: Milestone }
  /** A milestone is over. `summary` is a digest, or null when none could be written; `why` explains its author. */
  | {
      readonly kind: 'milestone-summarized'
      readonly milestone: MilestoneId
      readonly summary: string | null
      readonly by: 'judge' | 'facts'
      readonly why: string
      /** Usage of the judge for it. */
      readonly totals: Totals
    }
  | { readonly kind: 'line-opened'; readonly line: Commit; readonly tree: Tree; readonly target: Commit }
  | {
      readonly kind: 'baseline-checked'
      readonly commit: Commit
      readonly passed: boolean
      readonly receipts: readonly Receipt[]
      readonly findings: readonly Finding[]
    }
  | {
      readonly kind: 'attempt-started'
      readonly attempt: AttemptId
      readonly tasks: readonly TaskId[]
      readonly number: number
      readonly base: Commit
      readonly allowance: Allowance | null
      readonly retryBrief: string | null
      /** Knowledge in its prompt, or ''. */
      readonly knowledge: string
      /** Limits with their reasons. */
      readonly limits: AttemptLimits
      /** Sign-in that its agent uses. */
      readonly credential: string
      readonly reason: string
    }
  | {
      readonly kind: 'attempt-waiting'
      readonly attempt: AttemptId
      readonly seq: number
      readonly for: WaitFor
      readonly reason: string
    }
  /** A person has answered; the attempt continues when a slot is free. */
  | { readonly kind: 'attempt-answered'; readonly attempt: AttemptId; readonly answer: Answer; readonly reason: string }
  | { readonly kind: 'attempt-resumed'; readonly attempt: AttemptId; readonly stretch: number; readonly reason: string }
  | {
      readonly kind: 'attempt-ready'
      readonly attempt: AttemptId
      readonly seq: number
      readonly commit: Commit
      readonly tree: Tree
    }
  /** A person or a problem ends the attempt. */
  | {
      readonly kind: 'attempt-stopping'
      readonly attempt: AttemptId
      readonly cause: EndCause
      readonly reason: string
    }
  /** An agent proposes a task; a person decides. */
  | { readonly kind: 'task-proposed'; readonly attempt: AttemptId; readonly seq: number; readonly proposal: Proposal }
  /** A person has accepted it; `task-added` follows. */
  | { readonly kind: 'proposal-accepted'; readonly task: TaskId; readonly reason: string }
  | { readonly kind: 'proposal-declined'; readonly task: TaskId; readonly reason: string }
  | {
      readonly kind: 'knowledge-recorded'
      readonly attempt: AttemptId
      readonly seq: number
      readonly knowledge: Knowledge
    }
  /** Commands of a task's `verify` that passed before any work on it. */
  | {
      readonly kind: 'verify-already-green'
      readonly attempt: AttemptId
      readonly seq: number
      readonly task: TaskId
      readonly commands: readonly string[]
    }
  | { readonly kind: 'attempt-notified'; readonly attempt: AttemptId; readonly seq: number; readonly id: string }
  | {
      readonly kind: 'attempt-ended'
      readonly attempt: AttemptId
      readonly seq: number
      readonly outcome: AttemptOutcome
      readonly cause: EndCause
      readonly reason: string
      /** Phase that it ended in. */
      readonly phase: string
      /** Digest of the last hand-off note, or null when there is none. */
      readonly note: string | null
      readonly commit: Commit | null
      readonly totals: Totals
      /** Time of all rounds, and the longest round. */
      readonly activeMs: number
      readonly longest: Sample | null
      readonly findings: readonly Finding[]
    }
  | {
      readonly kind: 'candidate-prepared'
      readonly landing: LandingId
      /** Commit that the landing line must have for this candidate to land. */
      readonly line: Commit
      /** Line with the user's new commits. */
      readonly base: Commit
      readonly commit: Commit
      readonly tree: Tree
      /** Target commit that is part of the base. */
      readonly target: Commit
    }
  | {
      readonly kind: 'candidate-checked'
      readonly landing: LandingId
      readonly commit: Commit
      readonly receipts: readonly Receipt[]
    }
  | {
      readonly kind: 'candidate-refused'
      readonly landing: LandingId
      readonly cause: 'conflict' | 'checks' | 'stale' | 'trouble'
      readonly line: Commit
      readonly findings: readonly Finding[]
      readonly receipts: readonly Receipt[]
    }
  | {
      readonly kind: 'landed'
      readonly attempt: AttemptId
      readonly tasks: readonly TaskId[]
      readonly commit: Commit
      readonly receipts: readonly Receipt[]
    }
  | { readonly kind: 'landing-held'; readonly reason: string; readonly hint: string }
  | { readonly kind: 'target-followed'; readonly commit: Commit }
  | { readonly kind: 'target-held'; readonly commit: Commit; readonly reason: string; readonly command: string | null }
  | { readonly kind: 'sync-requested'; readonly line: Commit; readonly reason: string }
  | { readonly kind: 'synced'; readonly commit: Commit; readonly receipts: readonly Receipt[] }
  | { readonly kind: 'task-held'; readonly task: TaskId; readonly reason: string; readonly hint: string }
  | { readonly kind: 'task-failed'; readonly task: TaskId; readonly reason: string }
  | { readonly kind: 'task-reopened'; readonly task: TaskId; readonly reason: string }
  /** `dependents` are the tasks directly after it, which run without its work. */
  | {
      readonly kind: 'task-skipped'
      readonly task: TaskId
      readonly reason: string
      readonly dependents: readonly TaskId[]
    }
  /** `number` is counted per task. */
  | { readonly kind: 'task-steered'; readonly task: TaskId; readonly number: number; readonly text: string }
  /** `root` is the task that the user named; the others that name it rest on it. Absent in old ledgers. */
  | { readonly kind: 'revert-requested'; readonly task: TaskId; readonly root?: TaskId; readonly reason: string }
  | { readonly kind: 'reverted'; readonly task: TaskId; readonly commit: Commit; readonly receipts: readonly Receipt[] }
  | {
      readonly kind: 'revert-refused'
      readonly task: TaskId
      readonly reason: string
      readonly findings: readonly Finding[]
    }
  | { readonly kind: 'limit-hit'; readonly credential: string; readonly until: number; readonly estimated: boolean }
  | { readonly kind: 'limit-cleared'; readonly credential: string; readonly reason: string }
  | {
      readonly kind: 'budget-crossed'
      readonly budget: 'task' | 'run' | 'day'
      /** Task that the budget belongs to, or null for the run or the day. */
      readonly task: TaskId | null
      readonly share: number
      readonly usd: number
      readonly limitUsd: number
    }
  | { readonly kind: 'run-ended'; readonly done: number; readonly failed: number; readonly reason: string }
  | { readonly kind: 'run-reopened'; readonly reason: string }
  | { readonly kind: 'run-paused'; readonly reason: string }
  | { readonly kind: 'run-resumed'; readonly reason: string }
