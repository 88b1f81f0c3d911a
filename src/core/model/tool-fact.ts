import type { AgentReport } from './agent-report.ts'
import type { SessionId } from './ids.ts'
import type { Knowledge } from './knowledge.ts'
import type { Proposal } from './proposal.ts'
import type { NoteQuality } from './round.ts'

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
