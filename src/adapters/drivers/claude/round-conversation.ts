import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { AGENT_RETRIES_MAX, AGENT_RETRY_DELAY_MS_MAX } from '../../../core/limits/limits.ts'
import type { SessionId } from '../../../core/model/ids.ts'
import type { Claim, RoundEnd } from '../../../core/model/round.ts'
import { claimIn } from '../../../core/phases/read-report.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import { ended } from '../ends-without-result.ts'
import { FORM_TOOL } from './access.ts'
import type { Mask } from './mask.ts'
import { kindOfError, type RoundSignals } from './round-end.ts'
import { type Call, UsageCount } from './usage-count.ts'

type System = Extract<SDKMessage, { type: 'system' }>
type Assistant = Extract<SDKMessage, { type: 'assistant' }>
type ApiRetry = Extract<System, { subtype: 'api_retry' }>

/** What everything said in one round comes to, message by message. */
export class RoundConversation {
  readonly usage = new UsageCount()
  readonly #given: Given
  #isOpened = false
  #claim: Claim | null = null
  #error: string | null = null
  #limit: RoundSignals['limit'] = null
  #isRefused = false
  #toolsDone = 0
  #said: string[] = []
  readonly #answers = new Set<string>()
  readonly #denied = new Map<string, string>()
  #earlyEnd: RoundEnd | null = null

  constructor(given: Given) {
    this.#given = given
  }

  /** What has been heard so far of how the round will end. */
  get heard(): RoundSignals {
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

  /** All that the agent has said since the last prompt of the round. */
  get said(): string {
    return this.#said.join('\n\n')
  }

  /** Another prompt begins. */
  prompted(): void {
    this.#said = []
  }

  /** The end where the agent itself would go on trying for long, and in vain. */
  get earlyEnd(): RoundEnd | null {
    return this.#earlyEnd && { ...this.#earlyEnd, claim: this.#claim }
  }

  /** The events that a message stands for. */
  *hear(message: SDKMessage): Generator<AgentEvent> {
    if (isTold(message)) yield { kind: 'raw', line: this.#given.mask(JSON.stringify(message)) }
    if (message.type === 'system') yield* this.#system(message)
    if (message.type === 'assistant') yield* this.#answer(message)
    if (message.type === 'user') this.#toolsEnded(message)
    if (beginsAnswer(message)) yield { kind: 'activity', activity: { kind: 'streaming' } }
    if (message.type === 'rate_limit_event') this.#limited(message)
    yield* this.#used(this.usage.count(message))
  }

  /** What is left to tell when nothing more comes. */
  *rest(): Generator<AgentEvent> {
    yield* this.#used(this.usage.unfinished())
  }

  /** What the agent has put on record and nobody has told yet. */
  *recorded(calls: readonly Call[]): Generator<AgentEvent> {
    yield* this.#used(this.usage.recorded(calls))
  }

  /** Takes note of a refusal, once per use of a tool. */
  *denied(use: string, tool: string, reason: string): Generator<AgentEvent> {
    if (this.#denied.has(use)) return
    this.#denied.set(use, tool)
    yield { kind: 'denied', tool, reason: this.#given.mask(reason) }
  }

  *#used(calls: ReturnType<UsageCount['count']>): Generator<AgentEvent> {
    const { session, windowOf } = this.#given
    for (const call of calls) yield { kind: 'usage', usage: { session, ...call, window: windowOf(call.model) } }
  }

  *#system(message: System): Generator<AgentEvent> {
    switch (message.subtype) {
      case 'init':
        if (this.#isOpened) return
        this.#isOpened = true
        yield {
          kind: 'session-opened',
          session: this.#given.session,
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
        yield* this.denied(message.tool_use_id, message.tool_name, message.message)
        return
      case 'model_refusal_no_fallback':
        this.#isRefused = true
    }
  }

  *#retrying({ attempt, retry_delay_ms: delayMs, error, error_status: status }: ApiRetry): Generator<AgentEvent> {
    const until = this.#given.now() + delayMs
    yield { kind: 'activity', activity: { kind: 'retrying', attempt, until } }
    // Where there was no answer, there was nobody to give one: that passes, too.
    const kind = kindOfError(error, status) ?? (status === null ? 'overloaded' : 'unknown')
    const what = status === null ? NO_ANSWER : `The model's service answers ${status} (${error})`
    if (kind === 'auth') this.#earlyEnd = ended('auth', `${what}.`)
    else if (attempt > AGENT_RETRIES_MAX || delayMs > AGENT_RETRY_DELAY_MS_MAX)
      this.#earlyEnd = ended(kind, `${what}, after ${attempt} tries.`, kind === 'rate-limited' ? until : null)
  }

  *#answer({ message, parent_tool_use_id: parent, error }: Assistant): Generator<AgentEvent> {
    if (parent !== null) return
    if (error !== undefined) {
      this.#error = error
      return
    }
    this.#error = null
    for (const block of message.content) {
      if (block.type === 'text') this.#heardWords(block.text)
      if (block.type !== 'tool_use') continue
      if (block.name === FORM_TOOL) this.#answers.add(block.id)
      yield { kind: 'activity', activity: { kind: 'tool', name: block.name } }
    }
  }

  #heardWords(text: string): void {
    this.#said.push(text)
    this.#claim = claimIn(text) ?? this.#claim
  }

  #toolsEnded({ message, parent_tool_use_id: parent }: Extract<SDKMessage, { type: 'user' }>): void {
    if (parent !== null || typeof message.content === 'string') return
    // To answer is not to have done anything.
    this.#toolsDone += message.content.filter(
      (block) => block.type === 'tool_result' && block.is_error !== true && !this.#answers.has(block.tool_use_id),
    ).length
  }

  #limited({ rate_limit_info: { status, resetsAt } }: Extract<SDKMessage, { type: 'rate_limit_event' }>): void {
    if (status !== 'rejected') return
    const resetAt = resetsAt === undefined ? null : resetsAt * 1000
    this.#limit = { resetAt }
    this.#earlyEnd ??= ended('rate-limited', 'The usage limit is reached.', resetAt)
  }
}

const NO_ANSWER = "The model's service cannot be reached, or answers nothing"

interface Given {
  readonly session: SessionId
  readonly mask: Mask
  readonly now: () => number
  readonly windowOf: (model: string) => number | null
}

/** Pieces of answers come again as a whole; signs of life say nothing. */
function isTold({ type }: SDKMessage): boolean {
  return type !== 'stream_event' && type !== 'tool_progress' && (type as string) !== 'command_lifecycle'
}

/** What closes an answer comes after the agent has gone on to its tools. */
function beginsAnswer(message: SDKMessage): boolean {
  return message.type === 'stream_event' && message.event.type === 'message_start'
}
