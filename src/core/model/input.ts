import type { AgentReport } from './agent-report.ts'
import type { AttemptSpec } from './attempt.ts'
import type { Answer, AttemptEvent, Message } from './attempt-event.ts'
import type { AttemptId, Commit, RequestId, RunId, SessionId, TaskId, Tree } from './ids.ts'
import type { KnowledgeEntry } from './knowledge.ts'
import type { Opinion } from './opinion.ts'
import type { Problem } from './problem.ts'
import type { ProposalRecord } from './proposal.ts'
import type { JudgeUsage, NoteQuality, RoundEnd, UsageReport } from './round.ts'
import type { Settings } from './settings.ts'
import type { Backlog } from './task.ts'
import type { RecordedCall } from './tool-call.ts'
import type { Samples } from './usage.ts'
import type { Finding, Verdict } from './verdict.ts'

/** When something arrived, and a fresh id for whatever it brings about. */
export interface Moment {
  readonly at: number
  readonly uuid: string
}

/** What a person, or another program, asks of a run. */
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
  /** A person has read what an agent proposed; `attemptsBefore`: at tasks of that name, in any run. */
  | { readonly kind: 'accept-proposal'; readonly task: TaskId; readonly attemptsBefore: number; readonly text: string }
  | { readonly kind: 'decline-proposal'; readonly task: TaskId; readonly text: string }
  | { readonly kind: 'adopt-settings'; readonly values: Settings; readonly digest: string }
  | {
      readonly kind: 'add-tasks'
      readonly backlog: Backlog
      /** Attempts of these names in earlier runs of the repository. */
      readonly attemptsBefore: Readonly<Record<string, number>>
    }
  | { readonly kind: 'retry'; readonly task: TaskId }
  | { readonly kind: 'stop-task'; readonly task: TaskId }
  | { readonly kind: 'revert'; readonly task: TaskId }
  /** Starts nothing new until `resume`; rounds that are going on end by themselves. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  /** Does without a task: those after it go on. */
  | { readonly kind: 'skip'; readonly task: TaskId }
  /** Something a person wants the agent of a task to know. */
  | { readonly kind: 'steer'; readonly task: TaskId; readonly text: string }
  /** What a person says to a task that waits for them. */
  | { readonly kind: 'answer'; readonly task: TaskId; readonly answer: Answer }
  /** For the engine itself: stop rounds, save work, leave. */
  | { readonly kind: 'stop-engine' }

/** How a run's effect ended. */
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
  /** Only a person can say what the landing line should do now. */
  | { readonly kind: 'held'; readonly reason: string; readonly hint: string }
  | { readonly kind: 'advanced'; readonly commit: Commit }
  | { readonly kind: 'stale'; readonly line: Commit }
  | { readonly kind: 'followed'; readonly commit: Commit }
  /** `diverged`: the target has commits that the line does not have. */
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
      /** What the judge's calls used up. */
      readonly used: readonly JudgeUsage[]
    }
  | { readonly kind: 'trouble'; readonly problem: Problem }
  | { readonly kind: 'done' }

export type RunInput =
  | { readonly kind: 'engine-started'; readonly pid: number }
  | { readonly kind: 'request'; readonly id: RequestId; readonly request: Request }
  | { readonly kind: 'report'; readonly effect: string; readonly report: RunReport }
  | { readonly kind: 'attempt-event'; readonly attempt: AttemptId; readonly seq: number; readonly event: AttemptEvent }
  | { readonly kind: 'tick' }

/** How an attempt's effect ended. */
export type AttemptReport =
  | { readonly kind: 'workspace-made'; readonly commit: Commit }
  | { readonly kind: 'setup-failed'; readonly problem: Problem; readonly findings: readonly Finding[] }
  /** `note`: what a session that handed over left, its text kept by its digest; null: it had not to. */
  | {
      readonly kind: 'round-ended'
      readonly end: RoundEnd
      readonly note: { readonly digest: string | null; readonly quality: NoteQuality } | null
      /** What the agent's last words report, and their digest where they are to be kept; null: there were none. */
      readonly words: { readonly report: AgentReport | null; readonly digest: string | null } | null
    }
  | {
      readonly kind: 'checkpointed'
      readonly commit: Commit
      readonly tree: Tree
      readonly changed: number
      readonly protectedChanged: readonly string[]
      readonly nested: readonly string[]
      /** The digest of what has been done so far, where that was asked for. */
      readonly history: string | null
    }
  | { readonly kind: 'checked'; readonly verdict: Verdict }
  /** Null: the judge gave none, and why. */
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
  /** Nothing has been heard of the agent for so long; `activity`: what it was at. */
  | { readonly kind: 'quiet'; readonly silentMs: number; readonly activity: string }
  | { readonly kind: 'denied'; readonly tool: string; readonly reason: string }
  | { readonly kind: 'compacted'; readonly trigger: string }
  /** The agent's own total for the calls of the round that is going on. */
  | { readonly kind: 'cost'; readonly usd: number }
  /** Whether the agent took a person's words while it worked. */
  | { readonly kind: 'steering-result'; readonly number: number; readonly round: number; readonly isAccepted: boolean }
  /** The agent of a round has called one of our tools. */
  | { readonly kind: 'tool-called'; readonly round: number; readonly call: RecordedCall }
  | { readonly kind: 'notice'; readonly text: string }
  /** The workspace is not where the ledger says it is. */
  | { readonly kind: 'workspace-missing'; readonly reason: string }
  | { readonly kind: 'interrupted'; readonly reason: string }
  | { readonly kind: 'tick' }

/** What a pure decision answers. */
export type Decision<Event> =
  | { readonly kind: 'accepted'; readonly events: readonly Event[] }
  | { readonly kind: 'refused'; readonly problem: Problem }

export function accepted<Event>(events: readonly Event[]): Decision<Event> {
  return { kind: 'accepted', events }
}

export function refused(problem: Problem): Decision<never> {
  return { kind: 'refused', problem }
}
