import type { AgentReport } from './agent-report.ts'
import type { AttemptSpec } from './attempt.ts'
import type { Answer, AttemptEvent, Message } from './attempt-event.ts'
import type { AttemptId, Commit, RequestId, RunId, SessionId, TaskId, Tree } from './ids.ts'
import type { KnowledgeEntry } from './knowledge.ts'
import type { CarriedTask, Dependent, RecoveredTask } from './landed-work.ts'
import type { Opinion } from './opinion.ts'
import type { Problem } from './problem.ts'
import type { ProposalRecord } from './proposal.ts'
import type { Protection } from './protection.ts'
import type { JudgeUsage, NoteQuality, RoundEnd, UsageReport } from './round.ts'
import type { Settings } from './settings.ts'
import type { Backlog } from './task.ts'
import type { RecordedCall } from './tool-call.ts'
import type { Samples } from './usage.ts'
import type { Finding, Verdict } from './verdict.ts'

/** Arrival time of an input, with a fresh id for new things it creates. */
export interface Moment {
  readonly at: number
  readonly uuid: string
}

/** Request of a person or another program to a run. */
export type Request =
  | {
      readonly kind: 'open-run'
      readonly run: RunId
      readonly target: string
      readonly spentBefore: Readonly<Record<string, number>>
      readonly samplesBefore: Samples
      readonly knowledgeBefore: readonly KnowledgeEntry[]
      readonly proposalsBefore: readonly ProposalRecord[]
    }
  /** Accepts a proposal that a person has read; `attemptsBefore` counts attempts at tasks of that name in any run. */
  | { readonly kind: 'accept-proposal'; readonly task: TaskId; readonly attemptsBefore: number; readonly text: string }
  | { readonly kind: 'decline-proposal'; readonly task: TaskId; readonly text: string }
  | { readonly kind: 'adopt-settings'; readonly values: Settings; readonly digest: string }
  /** Reports settings that were changed while the engine runs and cannot be used. */
  | { readonly kind: 'reject-settings'; readonly reason: string }
  | {
      readonly kind: 'add-tasks'
      readonly backlog: Backlog
      /** Attempts at tasks of these names in earlier runs of the repository. */
      readonly attemptsBefore: Readonly<Record<string, number>>
    }
  /** Adds tasks that had landed before the state was lost. */
  | { readonly kind: 'recover-tasks'; readonly tasks: readonly RecoveredTask[] }
  | { readonly kind: 'retry'; readonly task: TaskId }
  | { readonly kind: 'stop-task'; readonly task: TaskId }
  | {
      readonly kind: 'revert'
      readonly task: TaskId
      /** Handling of landed tasks that rest on it: refuse the request, revert them first, or leave them. */
      readonly dependents: 'refuse' | 'revert' | 'keep'
      /** Landed tasks that rest on it as far as git shows, newest first. */
      readonly resting: readonly Dependent[]
      /** Those of the named tasks that an earlier run has landed. */
      readonly carried: readonly CarriedTask[]
    }
  /** Starts nothing new until `resume`; running rounds finish. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  /** Drops a task; tasks after it run without its work. */
  | { readonly kind: 'skip'; readonly task: TaskId }
  /** Passes a person's words to the agent of a task. */
  | { readonly kind: 'steer'; readonly task: TaskId; readonly text: string }
  /** Answers a task that waits for a person. */
  | { readonly kind: 'answer'; readonly task: TaskId; readonly answer: Answer }
  /** Makes the engine stop rounds, save work and exit. */
  | { readonly kind: 'stop-engine' }

/** Result of a run's effect. */
export type RunReport =
  | { readonly kind: 'line-open'; readonly line: Commit; readonly tree: Tree; readonly target: Commit }
  | { readonly kind: 'checked'; readonly verdict: Verdict }
  | {
      readonly kind: 'prepared'
      readonly line: Commit
      readonly base: Commit
      readonly commit: Commit
      readonly tree: Tree
      readonly target: Commit
    }
  | { readonly kind: 'conflict'; readonly line: Commit; readonly findings: readonly Finding[] }
  /** The landing line needs a person's decision. */
  | { readonly kind: 'held'; readonly reason: string; readonly hint: string }
  | { readonly kind: 'advanced'; readonly commit: Commit }
  | { readonly kind: 'stale'; readonly line: Commit }
  | { readonly kind: 'followed'; readonly commit: Commit }
  /** `diverged` means that the target has commits that the line lacks. */
  | {
      readonly kind: 'target-held'
      readonly reason: string
      readonly command: string | null
      readonly diverged: boolean
    }
  | {
      readonly kind: 'summarized'
      readonly summary: string | null
      readonly by: 'judge' | 'facts'
      readonly why: string
      /** Usage of the judge's calls. */
      readonly used: readonly JudgeUsage[]
    }
  | { readonly kind: 'trouble'; readonly problem: Problem }
  | { readonly kind: 'done' }

export type RunInput =
  | { readonly kind: 'engine-started'; readonly pid: number; readonly protection?: Protection }
  | { readonly kind: 'request'; readonly id: RequestId; readonly request: Request }
  | { readonly kind: 'report'; readonly effect: string; readonly report: RunReport }
  | { readonly kind: 'attempt-event'; readonly attempt: AttemptId; readonly seq: number; readonly event: AttemptEvent }
  | { readonly kind: 'tick' }

/** Result of an attempt's effect. */
export type AttemptReport =
  | { readonly kind: 'workspace-made'; readonly commit: Commit }
  /** Commands that pass on the base of the work. */
  | { readonly kind: 'verify-tried'; readonly alreadyGreen: readonly string[] }
  | { readonly kind: 'setup-failed'; readonly problem: Problem; readonly findings: readonly Finding[] }
  /** `note` is the hand-off note, stored by digest, or null when the session did not hand over. */
  | {
      readonly kind: 'round-ended'
      readonly end: RoundEnd
      readonly note: { readonly digest: string | null; readonly quality: NoteQuality } | null
      /** Report in the agent's last answer, and its digest where the text is kept; null without an answer. */
      readonly words: { readonly report: AgentReport | null; readonly digest: string | null } | null
    }
  | {
      readonly kind: 'checkpointed'
      readonly commit: Commit
      readonly tree: Tree
      readonly changed: number
      readonly nested: readonly string[]
      /** Digest of the description of the work so far, or null when it was not requested. */
      readonly history: string | null
    }
  | { readonly kind: 'checked'; readonly verdict: Verdict }
  /** Opinion of the judge, or null with the reason why there is none. */
  | { readonly kind: 'opinion'; readonly opinion: Opinion | null; readonly why: string }
  | { readonly kind: 'released'; readonly kept: boolean; readonly salvage: readonly string[] }
  | { readonly kind: 'trouble'; readonly problem: Problem }
  | { readonly kind: 'lost' }

export type AttemptInput =
  | { readonly kind: 'open'; readonly spec: AttemptSpec }
  | { readonly kind: 'message'; readonly id: string; readonly message: Message }
  | { readonly kind: 'report'; readonly effect: string; readonly report: AttemptReport }
  | {
      readonly kind: 'session-opened'
      readonly session: SessionId
      readonly driver: string
      readonly model: string
      readonly cli: string | null
    }
  | { readonly kind: 'usage'; readonly usage: UsageReport }
  /** The agent has shown no sign of life for this long; `activity` is its last one. */
  | { readonly kind: 'quiet'; readonly silentMs: number; readonly activity: string }
  | { readonly kind: 'denied'; readonly tool: string; readonly reason: string }
  | { readonly kind: 'host-refused'; readonly round: number; readonly host: string; readonly why: string }
  | { readonly kind: 'compacted'; readonly trigger: string }
  /** Total that the agent itself reports for the running round. */
  | { readonly kind: 'cost'; readonly usd: number }
  /** Result of putting a person's words into a running session. */
  | { readonly kind: 'steering-result'; readonly number: number; readonly round: number; readonly isAccepted: boolean }
  /** The agent of a round has called a Longhaul tool. */
  | { readonly kind: 'tool-called'; readonly round: number; readonly call: RecordedCall }
  | { readonly kind: 'notice'; readonly text: string }
  /** The workspace is missing on disk. */
  | { readonly kind: 'workspace-missing'; readonly reason: string }
  | { readonly kind: 'interrupted'; readonly reason: string }
  | { readonly kind: 'tick' }

/** Result of a pure decision. */
export type Decision<Event> =
  | { readonly kind: 'accepted'; readonly events: readonly Event[] }
  | { readonly kind: 'refused'; readonly problem: Problem }

export function accepted<Event>(events: readonly Event[]): Decision<Event> {
  return { kind: 'accepted', events }
}

export function refused(problem: Problem): Decision<never> {
  return { kind: 'refused', problem }
}
