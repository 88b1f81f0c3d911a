import type { Tokens } from './usage.ts'

/** The fourteen ways a round ends, and `lost`: the engine died while it went on. */
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

/** What an agent says of its own work: a claim. */
export type Claim =
  | { readonly kind: 'done' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'blocked'; readonly reason: string }

/** How a round ended. */
export interface RoundEnd {
  readonly kind: RoundEndKind
  /** One line for a person. */
  readonly detail: string
  readonly claim: Claim | null
  /** When a usage limit ends, where the agent knows it. */
  readonly resetAt: number | null
  /** What the agent wrote for its successor, untouched; only with `context-exhausted`, and null where nothing came. */
  readonly note: string | null
}

/** When a session stops to hand over: at the next tool boundary, or in the middle of what it does. */
export type HandOverMoment = 'boundary' | 'now'

/** What one call of a judge used up; `message` null: it has no name of its own. */
export interface JudgeUsage extends Pick<UsageReport, 'model' | 'tokens' | 'hourCacheWrite'> {
  readonly message: string | null
}

/** One model call's usage, as the agent reports it. */
export interface UsageReport {
  readonly session: string
  /** Unique within the session: usage counts once per message. */
  readonly message: string
  readonly model: string
  /** A subagent's call costs money and tokens; it is no turn of ours and not in our context. */
  readonly scope: 'main' | 'subagent'
  readonly tokens: Tokens
  /** Of what was written to the cache, what stays there for an hour: it costs more. */
  readonly hourCacheWrite: number
  /** The model's real window, where the agent knows it. */
  readonly window: number | null
}

/** How complete a hand-off note is: every section, some text, or nothing. */
export type NoteQuality = 'whole' | 'partial' | 'none'
