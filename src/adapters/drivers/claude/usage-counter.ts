import type { SDKMessage, SDKResultMessage } from '@anthropic-ai/claude-agent-sdk'
import type { UsageReport } from '../../../core/model/round.ts'
import { addTokens, NO_TOKENS, type Tokens } from '../../../core/model/usage.ts'

/** Model call, as far as the agent reports it. */
export type ModelCall = Omit<UsageReport, 'session' | 'window'>

/** Usage of an answer, as the API names it. */
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

/** Counts each model call of a round once. Calls that only the sums of a result include are added at the result. */
export class UsageCounter {
  /** Calls whose answer has started but not ended. */
  readonly #started = new Map<string, ModelCall>()
  readonly #reported = new Set<string>()
  /** Tokens reported since the last result, by model. */
  #sums = new Map<string, Tokens>()
  #costUsd: number | null = 0

  /** Cost of this process as the agent counts it, or null when it does not say. */
  get costUsd(): number | null {
    return this.#costUsd
  }

  /** Returns the calls that a message completes. */
  count(message: SDKMessage): readonly ModelCall[] {
    switch (message.type) {
      case 'stream_event':
        return this.#streamed(message)
      case 'assistant':
        return this.#subagentAnswer(message)
      case 'result':
        return [...this.unfinished(), ...this.#unreportedSums(message)]
      default:
        return []
    }
  }

  /** Returns calls whose answer never ended: at least their input was paid. */
  unfinished(): readonly ModelCall[] {
    return [...this.#started.values()].flatMap((call) => this.#report(call))
  }

  /** Returns recorded calls that were not reported yet; no result of this process includes them. */
  unreported(calls: readonly ModelCall[]): readonly ModelCall[] {
    const unreported = calls.filter(({ message }) => !this.#reported.has(message))
    for (const { message } of unreported) {
      this.#reported.add(message)
      this.#started.delete(message)
    }
    return unreported
  }

  #streamed({
    event,
    parent_tool_use_id: parent,
  }: Extract<SDKMessage, { type: 'stream_event' }>): readonly ModelCall[] {
    if (event.type === 'message_start') {
      const { id, model, usage } = event.message
      this.#started.set(id, { message: id, model, scope: scopeOf(parent), ...usageOf(usage) })
    }
    if (event.type !== 'message_delta') return []
    const call = [...this.#started.values()].findLast(({ scope }) => scope === scopeOf(parent))
    if (call === undefined) return []
    return this.#report({ ...call, tokens: withLater(call.tokens, event.usage) })
  }

  // Messages of subagents are not streamed: their output tokens are placeholders until the result.
  #subagentAnswer({
    message,
    parent_tool_use_id: parent,
  }: Extract<SDKMessage, { type: 'assistant' }>): readonly ModelCall[] {
    const { id, model, usage } = message
    if (parent === null || model === SYNTHETIC) return []
    return this.#report({ message: id, model, scope: 'subagent', ...usageOf(usage) })
  }

  #report(call: ModelCall): readonly ModelCall[] {
    this.#started.delete(call.message)
    if (this.#reported.has(call.message)) return []
    this.#reported.add(call.message)
    this.#sums.set(call.model, addTokens(this.#sums.get(call.model) ?? NO_TOKENS, call.tokens))
    return [call]
  }

  /** Returns tokens in the result that were not reported: answers of subagents, compactions and other internal calls. */
  #unreportedSums(result: SDKResultMessage): readonly ModelCall[] {
    const since = sumsSinceLast(result)
    this.#costUsd = since === null || this.#costUsd === null ? null : this.#costUsd + costOf(since)
    const reported = this.#sums
    this.#sums = new Map()
    if (since === null) return []
    const isByModel = [...reported.keys()].every((model) => Object.hasOwn(since, model))
    const sums = isByModel ? since : allAs([...reported.keys()][0] ?? '', since)
    const reportedFor = (model: string) =>
      isByModel ? (reported.get(model) ?? NO_TOKENS) : [...reported.values()].reduce(addTokens, NO_TOKENS)
    return Object.entries(sums)
      .map(([model, sum]) => ({ model, tokens: subtract(sum, reportedFor(model)) }))
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

function scopeOf(parent: string | null): ModelCall['scope'] {
  return parent === null ? 'main' : 'subagent'
}

/** Reads the usage of an answer. */
export function usageOf(usage: ApiUsage | undefined): Pick<ModelCall, 'tokens' | 'hourCacheWrite'> {
  const hourCacheWrite = usage?.cache_creation?.ephemeral_1h_input_tokens ?? 0
  return { tokens: withLater(NO_TOKENS, usage), hourCacheWrite }
}

/** Replaces token counts by later ones; missing counts stay, and some gateways leave out all of them. */
function withLater(tokens: Tokens, usage: ApiUsage | undefined): Tokens {
  const later = Object.entries(API_NAMES).flatMap(([theirs, ours]) => {
    const count = usage?.[theirs as keyof ApiUsage]
    return typeof count === 'number' ? [[ours, count] as const] : []
  })
  return { ...tokens, ...Object.fromEntries(later) }
}

/** Returns the sums since the previous result by model; missing in the SDK's types and in some versions. */
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

/** Removes the suffix for the context window, such as "[1m]". */
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
