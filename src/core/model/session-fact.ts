import type { Allowance } from './attempt.ts'
import type { SessionId } from './ids.ts'
import type { HandOverMoment, NoteQuality, UsageReport } from './round.ts'
import type { Totals } from './usage.ts'

/** Facts about an attempt's sessions: opening, usage, context window, refusals, hand-offs. */
export type SessionFact =
  | {
      readonly kind: 'session-opened'
      readonly session: SessionId
      readonly driver: string
      readonly model: string
      /** Version of the agent's program, or null when unknown. */
      readonly cli: string | null
    }
  | { readonly kind: 'usage-observed'; readonly usage: UsageReport; readonly usd: number | null; readonly day: string }
  /** A session is nearly full; recorded once per session. */
  | {
      readonly kind: 'context-warned'
      readonly session: SessionId
      readonly used: number
      readonly size: number
      readonly share: number
    }
  /** The agent reports no usage, so the occupancy of this session is unknown; the work continues. */
  | { readonly kind: 'context-untracked'; readonly session: SessionId }
  | { readonly kind: 'context-compacted'; readonly session: SessionId; readonly trigger: string }
  /** A full session has to hand over to a fresh one. */
  | {
      readonly kind: 'hand-off-started'
      readonly session: SessionId
      readonly used: number
      readonly size: number
      readonly share: number
      readonly when: HandOverMoment
    }
  | {
      readonly kind: 'session-handed-off'
      readonly session: SessionId
      /** Digest of its note, or null when it left none. */
      readonly note: string | null
      readonly quality: NoteQuality
      /** Usage of the session. */
      readonly totals: Totals
    }
  /** The attempt has spent a noteworthy share of its allowance. */
  | {
      readonly kind: 'allowance-crossed'
      readonly budget: Allowance['budget']
      readonly share: number
      readonly usd: number
      readonly limitUsd: number
    }
  /** The agent has shown no sign of life for a while; recorded again after the next sign of life and silence. */
  | { readonly kind: 'session-quiet'; readonly round: number; readonly silentMs: number; readonly activity: string }
  /** Policy refused an action of the agent; recorded once per tool and reason in an attempt. */
  | { readonly kind: 'tool-denied'; readonly round: number; readonly tool: string; readonly reason: string }
  /** The agent, or a command of it, tried to reach a host that the sandbox does not allow; recorded once per host and round. */
  | { readonly kind: 'host-refused'; readonly round: number; readonly host: string; readonly why: string }
  /** The agent's own total for a round differs from ours. */
  | { readonly kind: 'cost-drifted'; readonly round: number; readonly usd: number; readonly agentUsd: number }
