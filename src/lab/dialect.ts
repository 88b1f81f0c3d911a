import type { Tokens } from '../core/model/usage.ts'

/** Wire format of a model API; nothing else in the lab knows it. */
export interface Dialect {
  readonly name: string
  /** Parses a request, or returns null when it is not of this dialect. */
  read(request: WireRequest): ModelRequest | null
  /** Formats an answer, in the chunks that are streamed. */
  answer(request: ModelRequest, message: ModelMessage): WireAnswer
  /** Formats the number of tokens of a prompt. */
  count(request: ModelRequest): WireAnswer
  failure(failure: ModelFailure): WireAnswer
}

export interface WireRequest {
  /** Path without the run's name and the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
}

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: readonly string[]
}

/** Usage that an answer reports. */
export type ModelUsage = Tokens & {
  /** Part of the cache writes that lasts an hour. */
  readonly hourCacheWrite?: number | undefined
}

/** Request of an agent to the model. */
export interface ModelRequest {
  readonly kind: 'turn' | 'count'
  readonly model: string
  readonly isStream: boolean
  readonly session: string | null
  /** Subagent within the session, or null for the main agent. */
  readonly subagent: string | null
  /** Working folder that the agent names. */
  readonly folder: string | null
  readonly from: RequestOrigin
  readonly tools: readonly OfferedTool[]
  readonly history: readonly HistoryEntry[]
  /** Estimated tokens of the last entry, and of everything before it. */
  readonly tokens: { readonly last: number; readonly before: number }
}

/** Origin of a request: the agent, a subagent, or a side call such as a title, a summary or a compaction. */
export type RequestOrigin = 'agent' | 'subagent' | 'side'

export interface OfferedTool {
  readonly name: string
  /** True when the agent has to search for it first. */
  readonly isDeferred: boolean
}

/** Entry in a conversation. */
export type HistoryEntry =
  | { readonly kind: 'prompt'; readonly text: string }
  /** Words of a person while the agent worked. */
  | { readonly kind: 'remark'; readonly text: string }
  /** Summary that replaces everything before it. */
  | { readonly kind: 'compacted'; readonly summary: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly kind: 'tool-result'; readonly id: string; readonly text: string; readonly isError: boolean }

/** Answer of the model. */
export interface ModelMessage {
  readonly id: string
  readonly text: string
  readonly call: ModelToolCall | null
  readonly stop: 'end' | 'tool' | 'refusal' | 'length'
  /** Null when the answer reports no usage. */
  readonly usage: ModelUsage | null
}

export interface ModelToolCall {
  readonly id: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Error response of the API. */
export type ModelFailure =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly retryAfterS: number | null
      /** Null for the default message of the API. */
      readonly message: string | null
    }
  | { readonly kind: 'limit'; readonly resetAt: number; readonly now: number }
  | { readonly kind: 'too-long'; readonly tokens: number }

// Typical for English and code, within a fifth.
const CHARACTERS_PER_TOKEN = 4

/** Estimates the number of tokens of a text. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}
