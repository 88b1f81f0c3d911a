import type { SDKMessage, SDKResultMessage } from '@anthropic-ai/claude-agent-sdk'
import type { UsageReport } from '../../../core/model/round.ts'
import { addTokens, NO_TOKENS, type Tokens } from '../../../core/model/usage.ts'

/** One model call, as far as the agent's own words tell it. */
export type Call = Omit<UsageReport, 'session' | 'window'>

/** The usage of an answer, in the API's words. */
export type ApiUsage = Partial<Record<keyof typeof API_NAMES, number | null>> & {
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: number | null } | null
}
type ModelSums = Readonly<Record<string, ModelSum>>
interface ModelSum {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadInputTokens: number
  readonly cacheCreationInputTokens: number
  readonly costUSD: number
}

/** Counts each model call of a round once. Tokens of the answer come last; what only sums tell is added at a result. */
export class UsageCount {
  /** Calls whose answer has begun and not ended. */
  readonly #begun = new Map<string, Call>()
  readonly #told = new Set<string>()
  /** What was told since the last result, by model. */
  #sums = new Map<string, Tokens>()
  #costUsd: number | null = 0

  /** What the agent itself says that this process has cost; null where it does not say. */
  get costUsd(): number | null {
    return this.#costUsd
  }

  /** The calls that a message completes. */
  count(message: SDKMessage): readonly Call[] {
    switch (message.type) {
      case 'stream_event':
        return this.#streamed(message)
      case 'assistant':
        return this.#said(message)
      case 'result':
        return [...this.unfinished(), ...this.#rest(message)]
      default:
        return []
    }
  }

  /** The calls whose answer never ended: they cost what they were sent. */
  unfinished(): readonly Call[] {
    return [...this.#begun.values()].flatMap((call) => this.#tell(call))
  }

  /** The calls of a session's record that nobody has told yet; no result of this process sums them up. */
  recorded(calls: readonly Call[]): readonly Call[] {
    const fresh = calls.filter(({ message }) => !this.#told.has(message))
    for (const { message } of fresh) {
      this.#told.add(message)
      this.#begun.delete(message)
    }
    return fresh
  }

  #streamed({ event, parent_tool_use_id: parent }: Extract<SDKMessage, { type: 'stream_event' }>): readonly Call[] {
    if (event.type === 'message_start') {
      const { id, model, usage } = event.message
      this.#begun.set(id, { message: id, model, scope: scopeOf(parent), ...usedIn(usage) })
    }
    if (event.type !== 'message_delta') return []
    const call = [...this.#begun.values()].findLast(({ scope }) => scope === scopeOf(parent))
    if (call === undefined) return []
    return this.#tell({ ...call, tokens: withLast(call.tokens, event.usage) })
  }

  /** The messages of subagents are not streamed, so their answers are only placeholders until the result. */
  #said({ message, parent_tool_use_id: parent }: Extract<SDKMessage, { type: 'assistant' }>): readonly Call[] {
    const { id, model, usage } = message
    if (parent === null || model === SYNTHETIC) return []
    return this.#tell({ message: id, model, scope: 'subagent', ...usedIn(usage) })
  }

  #tell(call: Call): readonly Call[] {
    this.#begun.delete(call.message)
    if (this.#told.has(call.message)) return []
    this.#told.add(call.message)
    this.#sums.set(call.model, addTokens(this.#sums.get(call.model) ?? NO_TOKENS, call.tokens))
    return [call]
  }

  /** What the result counts beyond what was told: answers of subagents, compactions and other calls of the agent's own. */
  #rest(result: SDKResultMessage): readonly Call[] {
    const since = sumsSinceLast(result)
    this.#costUsd = since === null || this.#costUsd === null ? null : this.#costUsd + costOf(since)
    const told = this.#sums
    this.#sums = new Map()
    if (since === null) return []
    const isByModel = [...told.keys()].every((model) => Object.hasOwn(since, model))
    const sums = isByModel ? since : allAs([...told.keys()][0] ?? '', since)
    const toldOf = (model: string) =>
      isByModel ? (told.get(model) ?? NO_TOKENS) : [...told.values()].reduce(addTokens, NO_TOKENS)
    return Object.entries(sums)
      .map(([model, sum]) => ({ model, tokens: subtract(sum, toldOf(model)) }))
      .filter(({ tokens }) => Object.values(tokens).some((count) => count > 0))
      .map(({ model, tokens }) => {
        return { message: `${result.uuid}/${model}`, model, scope: 'subagent', tokens, hourCacheWrite: 0 }
      })
  }
}

const SYNTHETIC = '<synthetic>'
const API_NAMES = {
  input_tokens: 'input',
  cache_read_input_tokens: 'cacheRead',
  cache_creation_input_tokens: 'cacheWrite',
  output_tokens: 'output',
} as const

function scopeOf(parent: string | null): Call['scope'] {
  return parent === null ? 'main' : 'subagent'
}

/** What an answer has used. */
export function usedIn(usage: ApiUsage | undefined): Pick<Call, 'tokens' | 'hourCacheWrite'> {
  const hourCacheWrite = usage?.cache_creation?.ephemeral_1h_input_tokens ?? 0
  return { tokens: withLast(NO_TOKENS, usage), hourCacheWrite }
}

/** The later figures count; those that are missing stay, and some gateways leave all of them out. */
function withLast(tokens: Tokens, usage: ApiUsage | undefined): Tokens {
  const later = Object.entries(API_NAMES).flatMap(([theirs, ours]) => {
    const count = usage?.[theirs as keyof ApiUsage]
    return typeof count === 'number' ? [[ours, count] as const] : []
  })
  return { ...tokens, ...Object.fromEntries(later) }
}

/** The result's sums since the one before it, by model; not in the SDK's types, and not told by every version. */
function sumsSinceLast(result: SDKResultMessage): Readonly<Record<string, Tokens & { readonly usd: number }>> | null {
  const { model_usage_since_last_result: sums } = result as { readonly model_usage_since_last_result?: ModelSums }
  if (sums === undefined) return null
  return Object.fromEntries(Object.entries(sums).map(([model, sum]) => [plainName(model), tokensOfSum(sum)]))
}

function tokensOfSum(sum: ModelSum): Tokens & { readonly usd: number } {
  return {
    input: sum.inputTokens,
    cacheRead: sum.cacheReadInputTokens,
    cacheWrite: sum.cacheCreationInputTokens,
    output: sum.outputTokens,
    usd: sum.costUSD,
  }
}

/** A model's name without a mark for its window, "[1m]". */
function plainName(model: string): string {
  return model.replace(/\[[^\]]*\]$/, '')
}

function costOf(since: Readonly<Record<string, { readonly usd: number }>>): number {
  return Object.values(since).reduce((sum, { usd }) => sum + usd, 0)
}

function allAs(model: string, since: Readonly<Record<string, Tokens>>): Readonly<Record<string, Tokens>> {
  return { [model]: Object.values(since).reduce(addTokens, NO_TOKENS) }
}

function subtract(a: Tokens, b: Tokens): Tokens {
  const left = (key: keyof Tokens) => Math.max(0, a[key] - b[key])
  return { input: left('input'), cacheRead: left('cacheRead'), cacheWrite: left('cacheWrite'), output: left('output') }
}
