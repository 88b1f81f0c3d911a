import type { Tokens } from '../core/model/usage.ts'

/** One model API as it goes over the wire, in and out. Nothing else knows its format. */
export interface Dialect {
  readonly name: string
  /** What a request asks for; null: it is not of this dialect. */
  read(request: WireRequest): Ask | null
  /** The model's answer, in pieces as they are streamed. */
  answer(ask: Ask, message: ModelMessage): WireAnswer
  /** How many tokens a prompt would have. */
  count(ask: Ask): WireAnswer
  failure(failure: Failure): WireAnswer
}

export interface WireRequest {
  /** Without the run's name and the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
}

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: readonly string[]
}

/** What an answer says that it used. */
export type ModelUsage = Tokens & {
  /** Of what was written to the cache, what stays there for an hour. */
  readonly hourCacheWrite?: number | undefined
}

/** What an agent asks the model for. */
export interface Ask {
  readonly kind: 'turn' | 'count'
  readonly model: string
  readonly isStream: boolean
  readonly session: string | null
  /** The agent within its session; null: the session's own. */
  readonly subagent: string | null
  /** The folder that the agent says it works in. */
  readonly folder: string | null
  readonly from: Asker
  readonly tools: readonly Tool[]
  readonly history: readonly Entry[]
  /** Estimated from sizes: of the last entry, and of all before it. */
  readonly tokens: { readonly last: number; readonly before: number }
}

/** Whose work it is: the agent's own, one of its subagents', or a title, summary or compaction beside the work. */
export type Asker = 'agent' | 'subagent' | 'side'

export interface Tool {
  readonly name: string
  /** Only to be had after a search for it. */
  readonly isDeferred: boolean
}

/** One thing in a conversation. */
export type Entry =
  | { readonly kind: 'prompt'; readonly text: string }
  /** What a person said while the agent was at work. */
  | { readonly kind: 'remark'; readonly text: string }
  /** The agent has put a summary in the place of all that came before. */
  | { readonly kind: 'compacted'; readonly summary: string }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'called'; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly kind: 'returned'; readonly id: string; readonly text: string; readonly isError: boolean }

/** What the model answers. */
export interface ModelMessage {
  readonly id: string
  readonly text: string
  readonly call: ModelToolCall | null
  readonly stop: 'end' | 'tool' | 'refusal' | 'length'
  /** Null: it tells none. */
  readonly usage: ModelUsage | null
}

export interface ModelToolCall {
  readonly id: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** An answer that is none. */
export type Failure =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly retryAfterS: number | null
      /** Null: what the API would say. */
      readonly message: string | null
    }
  | { readonly kind: 'limit'; readonly resetAt: number; readonly now: number }
  | { readonly kind: 'too-long'; readonly tokens: number }
