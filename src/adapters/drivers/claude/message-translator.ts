import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { AGENT_RETRIES_MAX, AGENT_RETRY_DELAY_MS_MAX } from '../../../core/limits/limits.ts'
import type { SessionId } from '../../../core/model/ids.ts'
import type { Claim, RoundEnd } from '../../../core/model/round.ts'
import { claimIn } from '../../../core/phases/read-report.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import { roundEnd } from '../ends-without-result.ts'
import type { Mask } from './mask.ts'
import { kindOfError, type RoundSignals } from './round-end.ts'
import { FORM_TOOL } from './tool-policy.ts'
import { type ModelCall, UsageCounter } from './usage-counter.ts'

type System = Extract<SDKMessage, { type: 'system' }>
type Assistant = Extract<SDKMessage, { type: 'assistant' }>
type ApiRetry = Extract<System, { subtype: 'api_retry' }>

/** Translates the SDK's messages of one round into events, and collects signals about its end. */
export class MessageTranslator {
  readonly usage = new UsageCounter()
  readonly #options: TranslatorOptions
  #isOpened = false
  #claim: Claim | null = null
  #error: string | null = null
  #limit: RoundSignals['limit'] = null
  #isRefused = false
  #toolsDone = 0
  #texts: string[] = []
  readonly #answers = new Set<string>()
  readonly #denied = new Map<string, string>()
  #earlyEnd: RoundEnd | null = null

  constructor(options: TranslatorOptions) {
    this.#options = options
  }

  /** Signals so far about the end of the round. */
  get signals(): RoundSignals {
    const denied = [...this.#denied.values()]
    return {
      claim: this.#claim,
      error: this.#error,
      limit: this.#limit,
      isRefused: this.#isRefused,
      toolsDone: this.#toolsDone,
      denied,
    }
  }

  /** Everything the agent has said since the last prompt. */
  get textSincePrompt(): string {
    return this.#texts.join('\n\n')
  }

  /** Called before another prompt. */
  startPrompt(): void {
    this.#texts = []
  }

  /** End of a round that would only retry for a long time, or null. */
  get earlyEnd(): RoundEnd | null {
    return this.#earlyEnd && { ...this.#earlyEnd, claim: this.#claim }
  }

  /** Yields the events of a message. */
  *translate(message: SDKMessage): Generator<AgentEvent> {
    if (belongsInTranscript(message)) yield { kind: 'raw', line: this.#options.mask(JSON.stringify(message)) }
    if (message.type === 'system') yield* this.#system(message)
    if (message.type === 'assistant') yield* this.#answer(message)
    if (message.type === 'user') this.#toolsEnded(message)
    if (beginsAnswer(message)) yield { kind: 'activity', activity: { kind: 'streaming' } }
    if (message.type === 'rate_limit_event') this.#limited(message)
    yield* this.#usage(this.usage.count(message))
  }

  /** Yields the usage of calls whose answer never ended. */
  *unfinishedCalls(): Generator<AgentEvent> {
    yield* this.#usage(this.usage.unfinished())
  }

  /** Yields the usage of recorded calls that was not reported yet. */
  *recordedCalls(calls: readonly ModelCall[]): Generator<AgentEvent> {
    yield* this.#usage(this.usage.unreported(calls))
  }

  /** Records a refused tool call, once per call. */
  *recordDenial(toolUseId: string, tool: string, reason: string): Generator<AgentEvent> {
    if (this.#denied.has(toolUseId)) return
    this.#denied.set(toolUseId, tool)
    yield { kind: 'denied', tool, reason: this.#options.mask(reason) }
  }

  *#usage(calls: ReturnType<UsageCounter['count']>): Generator<AgentEvent> {
    const { session, windowOf } = this.#options
    for (const call of calls) yield { kind: 'usage', usage: { session, ...call, window: windowOf(call.model) } }
  }

  *#system(message: System): Generator<AgentEvent> {
    switch (message.subtype) {
      case 'init':
        if (this.#isOpened) return
        this.#isOpened = true
        yield {
          kind: 'session-opened',
          session: this.#options.session,
          model: message.model,
          cli: message.claude_code_version,
        }
        return
      case 'status':
        yield { kind: 'activity', activity: { kind: message.status === 'requesting' ? 'waiting' : 'processing' } }
        return
      case 'api_retry':
        yield* this.#retrying(message)
        return
      case 'compact_boundary':
        yield { kind: 'compacted', trigger: message.compact_metadata.trigger }
        return
      case 'permission_denied':
        yield* this.recordDenial(message.tool_use_id, message.tool_name, message.message)
        return
      case 'model_refusal_no_fallback':
        this.#isRefused = true
    }
  }

  *#retrying({ attempt, retry_delay_ms: delayMs, error, error_status: status }: ApiRetry): Generator<AgentEvent> {
    const until = this.#options.now() + delayMs
    yield { kind: 'activity', activity: { kind: 'retrying', attempt, until } }
    // Without a status, the service was not reachable, which also passes.
    const kind = kindOfError(error, status) ?? (status === null ? 'overloaded' : 'unknown')
    const what = status === null ? NO_ANSWER : `The model API answered with status ${status} (${error})`
    if (kind === 'auth') this.#earlyEnd = roundEnd('auth', `${what}.`)
    else if (attempt > AGENT_RETRIES_MAX || delayMs > AGENT_RETRY_DELAY_MS_MAX)
      this.#earlyEnd = roundEnd(kind, `${what}, after ${attempt} tries.`, kind === 'rate-limited' ? until : null)
  }

  *#answer({ message, parent_tool_use_id: parent, error }: Assistant): Generator<AgentEvent> {
    if (parent !== null) return
    if (error !== undefined) {
      this.#error = error
      return
    }
    this.#error = null
    for (const block of message.content) {
      if (block.type === 'text') this.#addText(block.text)
      if (block.type !== 'tool_use') continue
      if (block.name === FORM_TOOL) this.#answers.add(block.id)
      yield { kind: 'activity', activity: { kind: 'tool', name: block.name } }
    }
  }

  #addText(text: string): void {
    this.#texts.push(text)
    this.#claim = claimIn(text) ?? this.#claim
  }

  #toolsEnded({ message, parent_tool_use_id: parent }: Extract<SDKMessage, { type: 'user' }>): void {
    if (parent !== null || typeof message.content === 'string') return
    // An answer in a form is no work.
    this.#toolsDone += message.content.filter(
      (block) => block.type === 'tool_result' && block.is_error !== true && !this.#answers.has(block.tool_use_id),
    ).length
  }

  #limited({ rate_limit_info: { status, resetsAt } }: Extract<SDKMessage, { type: 'rate_limit_event' }>): void {
    if (status !== 'rejected') return
    const resetAt = resetsAt === undefined ? null : resetsAt * 1000
    this.#limit = { resetAt }
    this.#earlyEnd ??= roundEnd('rate-limited', 'The usage limit has been reached.', resetAt)
  }
}

const NO_ANSWER = 'The model API cannot be reached or does not answer'

interface TranslatorOptions {
  readonly session: SessionId
  readonly mask: Mask
  readonly now: () => number
  readonly windowOf: (model: string) => number | null
}

// Partial messages are repeated in the whole answer; progress messages have no content.
function belongsInTranscript({ type }: SDKMessage): boolean {
  return type !== 'stream_event' && type !== 'tool_progress' && (type as string) !== 'command_lifecycle'
}

// Only the start counts: the end of an answer arrives after the agent has started its tools.
function beginsAnswer(message: SDKMessage): boolean {
  return message.type === 'stream_event' && message.event.type === 'message_start'
}
