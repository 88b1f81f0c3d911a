import type { Tokens } from './usage.ts'

/** Ends that agents report; `lost` is added when the engine died during the round. */
export const AGENT_ENDS = [
  'ok',
  'rate-limited',
  'overloaded',
  'auth',
  'context-exhausted',
  'max-turns',
  'budget',
  'timeout',
  'cancelled',
  'crashed',
  'refused',
  'truncated',
  'config',
  'unknown',
] as const
export type AgentEndKind = (typeof AGENT_ENDS)[number]
export type RoundEndKind = AgentEndKind | 'lost'

/** Claim of an agent about its own work. */
export type Claim =
  | { readonly kind: 'done' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'blocked'; readonly reason: string }

/** End of a round. */
export interface RoundEnd {
  readonly kind: RoundEndKind
  /** Single line for people. */
  readonly detail: string
  readonly claim: Claim | null
  /** Reset time of a usage limit, or null when unknown. */
  readonly resetAt: number | null
  /** Raw hand-off note, only with `context-exhausted`; null when the agent wrote none. */
  readonly note: string | null
}

/** Moment of a hand-over: at the next tool boundary, or immediately. */
export type HandOverMoment = 'boundary' | 'now'

/** Usage of one judge call; `message` is null when the call has no id. */
export interface JudgeUsage extends Pick<UsageReport, 'model' | 'tokens' | 'hourCacheWrite'> {
  readonly message: string | null
}

/** Usage of one model call, as the agent reports it. */
export interface UsageReport {
  readonly session: string
  /** Unique within the session, because usage counts once per message. */
  readonly message: string
  readonly model: string
  /** A subagent's call costs money and tokens, but is neither a turn nor part of the session's context. */
  readonly scope: 'main' | 'subagent'
  readonly tokens: Tokens
  /** Tokens written to the one-hour cache, which costs more. */
  readonly hourCacheWrite: number
  /** Context window of the model, or null when unknown. */
  readonly window: number | null
}

/** Completeness of a hand-off note: every section, some text, or nothing. */
export type NoteQuality = 'whole' | 'partial' | 'none'
