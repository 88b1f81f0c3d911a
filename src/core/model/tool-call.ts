import type { AgentReport, QaResult, Review } from './agent-report.ts'
import type { SessionId, TaskId } from './ids.ts'
import type { Knowledge } from './knowledge.ts'
import type { Proposal } from './proposal.ts'
import type { Claim, NoteQuality } from './round.ts'

/** Call of a Longhaul tool by an agent; its kind is the tool's name. */
export type ToolCall =
  | { readonly kind: 'report'; readonly claim: Claim }
  | { readonly kind: 'ask'; readonly question: string }
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'propose'; readonly proposal: Proposal }
  | { readonly kind: 'learn'; readonly knowledge: Knowledge }
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'qa'; readonly qa: QaResult }
  /** Null asks for the agent's own task. */
  | { readonly kind: 'task'; readonly id: TaskId | null }
  | ({ readonly kind: 'backlog' } & BacklogQuery)
  /** Lists the commands that check the work. */
  | { readonly kind: 'checks' }
  /** Lists open findings. */
  | { readonly kind: 'findings' }
  /** Shows what is left of the round's limits. */
  | { readonly kind: 'limits' }
  | { readonly kind: 'recall'; readonly words: string }

export type ToolName = ToolCall['kind']

/** Calls that only read and leave no fact. */
export type ReadCall = Extract<ToolCall, { kind: 'task' | 'backlog' | 'checks' | 'findings' | 'limits' | 'recall' }>

/** Calls that become facts of the attempt; long texts are stored by digest. */
export type RecordedCall =
  | Exclude<ToolCall, ReadCall | { kind: 'note' }>
  | { readonly kind: 'note'; readonly digest: string; readonly quality: NoteQuality }

/** Filter and page of a backlog listing. */
export interface BacklogQuery {
  /** Text that the id, title or state must contain, or null for all tasks. */
  readonly filter: string | null
  /** Page number, from 1. */
  readonly page: number
}

/** Answer to a tool call. */
export interface ToolAnswer {
  readonly isRefused: boolean
  readonly text: string
}

/** Facts that agents leave by calling tools. */
export type ToolFact =
  /** The last report of a round counts, and takes precedence over the agent's text. */
  | { readonly kind: 'work-reported'; readonly round: number; readonly report: AgentReport }
  | { readonly kind: 'progress-reported'; readonly round: number; readonly text: string }
  /** Note for the next session, in case this one has to hand over; `note` is its digest. */
  | {
      readonly kind: 'note-left'
      readonly round: number
      readonly session: SessionId
      readonly note: string
      readonly quality: NoteQuality
    }
  | { readonly kind: 'task-proposed'; readonly round: number; readonly proposal: Proposal }
  | { readonly kind: 'knowledge-recorded'; readonly round: number; readonly knowledge: Knowledge }
