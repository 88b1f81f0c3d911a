import type { AgentReport, QaResult, Review } from './agent-report.ts'
import type { SessionId, TaskId } from './ids.ts'
import type { Knowledge } from './knowledge.ts'
import type { Proposal } from './proposal.ts'
import type { Claim, NoteQuality } from './round.ts'

/** One call of our tools by an agent; its kind is the tool's name. */
export type ToolCall =
  | { readonly kind: 'report'; readonly claim: Claim }
  | { readonly kind: 'ask'; readonly question: string }
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'propose'; readonly proposal: Proposal }
  | { readonly kind: 'learn'; readonly knowledge: Knowledge }
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'qa'; readonly qa: QaResult }
  /** Without an id: the task that the agent works on. */
  | { readonly kind: 'task'; readonly id: TaskId | null }
  | ({ readonly kind: 'backlog' } & BacklogQuery)
  /** What will be run to check the work. */
  | { readonly kind: 'checks' }
  /** What has still to be mended. */
  | { readonly kind: 'findings' }
  /** What the round may still take. */
  | { readonly kind: 'limits' }
  | { readonly kind: 'recall'; readonly words: string }

export type ToolName = ToolCall['kind']

/** What only reads, and leaves no fact. */
export type ReadCall = Extract<ToolCall, { kind: 'task' | 'backlog' | 'checks' | 'findings' | 'limits' | 'recall' }>

/** What becomes a fact of the attempt; long texts are kept by their digest. */
export type RecordedCall =
  | Exclude<ToolCall, ReadCall | { kind: 'note' }>
  | { readonly kind: 'note'; readonly digest: string; readonly quality: NoteQuality }

/** Which part of the backlog an agent wants to see. */
export interface BacklogQuery {
  /** Only tasks with this in their id, title or state; null: all. */
  readonly filter: string | null
  /** From 1. */
  readonly page: number
}

/** What an agent is told in return. */
export interface ToolAnswer {
  readonly isRefused: boolean
  readonly text: string
}

/** What an agent said through our tools. */
export type ToolFact =
  /** The latest of a round counts, over whatever the agent's text says. */
  | { readonly kind: 'work-reported'; readonly round: number; readonly report: AgentReport }
  | { readonly kind: 'progress-reported'; readonly round: number; readonly text: string }
  /** What a session leaves for the next one, should it have to hand over; `note`: its digest. */
  | {
      readonly kind: 'note-left'
      readonly round: number
      readonly session: SessionId
      readonly note: string
      readonly quality: NoteQuality
    }
  | { readonly kind: 'task-proposed'; readonly round: number; readonly proposal: Proposal }
  | { readonly kind: 'knowledge-recorded'; readonly round: number; readonly knowledge: Knowledge }
