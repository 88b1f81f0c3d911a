import type { McpServerConfig, Query, SDKMessage, SDKResultMessage, SpawnOptions } from '@anthropic-ai/claude-agent-sdk'
import type { Activity } from '../../../core/model/activity.ts'
import type { AnswerForm } from '../../../core/model/agent-report.ts'
import type { RoundOrder } from '../../../core/model/effect.ts'
import type { HandOverMoment, RoundEnd } from '../../../core/model/round.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import type { Clock } from '../../../ports/clock.ts'
import { type Launched, launch, type Program } from '../../../process/start/launch.ts'
import { type AgentTree, agentTree } from '../agent-tree.ts'
import { crashedEnd, roundEnd, stoppedEnd, withSurvivors } from '../ends-without-result.ts'
import { AsyncQueue } from './async-queue.ts'
import { type FinalAnswer, handOffNote, readFinalAnswer } from './final-answer.ts'
import type { Mask } from './mask.ts'
import { MessageTranslator } from './message-translator.ts'
import { Prompts } from './prompts.ts'
import { type AgentCallbacks, queryOptions, type SessionOpening } from './query-options.ts'
import { endOf, refusesOpening } from './round-end.ts'
import type { Claude } from './sdk.ts'
import { toSpawnedProcess } from './spawned-process.ts'
import { FORM_TOOL, toolRefusal } from './tool-policy.ts'
import type { ModelCall } from './usage-counter.ts'

/** Agent that is ready to start. */
export interface ClaudeToStart {
  readonly claude: Claude
  readonly order: RoundOrder
  readonly form: AnswerForm | null
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly mcp: Readonly<Record<string, McpServerConfig>>
  readonly mask: Mask
  readonly clock: Clock
  /** Context windows of models, as reported by agents. */
  readonly windows: Map<string, number>
  readonly program: (file: string, args: readonly string[]) => Program
  /** Saves a copy of the session's record. */
  readonly archive: () => Promise<void>
  /** Returns the session's model calls from the agent's own records. */
  readonly recordedCalls: () => Promise<readonly ModelCall[]>
  /** True when this engine has followed the session from its start. */
  readonly hasFollowedSession: boolean
  /** Removes the record of a session that a killed agent left empty; false when there is none. */
  readonly removeEmptySession: () => Promise<boolean>
  /** Takes the user's sign-in back when the round is over. */
  readonly signOut: () => void
}

/** Process of an agent, from its start until everything it started has ended. */
export class AgentProcess {
  /** End of the round; null while it runs, and when the session could not be opened in this way. */
  end: RoundEnd | null = null
  readonly #agent: ClaudeToStart
  readonly #opening: SessionOpening
  readonly #events = new AsyncQueue<AgentEvent>()
  readonly #prompts: Prompts
  readonly #translator: MessageTranslator
  #query: Query | null = null
  #process: { readonly launched: Launched; readonly tree: AgentTree } | null = null
  #notStarted: string | null = null
  #stopReason: 'cancelled' | 'timeout' | null = null
  #isOpened = false
  #isRefused = false
  #handOver: 'none' | 'requested' | 'writing-note' = 'none'
  #isInterrupted = false
  #activity: Activity = { kind: 'waiting' }

  constructor(agent: ClaudeToStart, opening: SessionOpening) {
    const { order, mask, clock, windows } = agent
    this.#agent = agent
    this.#opening = opening
    this.#prompts = new Prompts(clock.uuid)
    this.#translator = new MessageTranslator({
      session: order.session,
      mask,
      now: clock.now,
      windowOf: (model) => windows.get(model) ?? null,
    })
  }

  /** True when the agent refused to open the session in this way. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Starts the agent and yields its events until all its processes have ended. */
  async *events(): AsyncGenerator<AgentEvent, void> {
    const run = this.#run()
    try {
      yield* this.#events.items()
    } finally {
      // A reader that stops early has no use for the agent.
      this.cancel('cancelled')
      await run
    }
  }

  cancel(reason: 'cancelled' | 'timeout'): void {
    this.#stopReason ??= reason
    this.#process?.tree.end()
  }

  handOver(when: HandOverMoment): void {
    if (this.end !== null || this.#handOver === 'writing-note') return
    this.#handOver = 'requested'
    if (when === 'boundary' || this.#isInterrupted) return
    this.#isInterrupted = true
    // Fails when the agent has just ended; then there is nothing to interrupt.
    this.#query?.interrupt().catch(() => {})
  }

  say(text: string): boolean {
    if (!this.#isOpened || this.end !== null || this.#handOver !== 'none' || this.#stopReason !== null) return false
    this.#prompts.say(text)
    return true
  }

  async #run(): Promise<void> {
    try {
      const { order, claude, hasFollowedSession, recordedCalls } = this.#agent
      const missedCalls = hasFollowedSession || this.#opening === 'create' ? [] : [...(await recordedCalls())]
      this.#prompts.say(this.#opening === 'resume' ? order.prompt : order.opening)
      this.#query = claude.sdk.query({ prompt: this.#prompts, options: this.#options() })
      for await (const message of this.#query) {
        if (message.type === 'system' && message.subtype === 'init') await this.#onOpened(message.model)
        this.#onMessage(message)
        if (this.#isOpened) this.#emit(this.#translator.recordedCalls(missedCalls.splice(0)))
      }
    } catch {
      // The SDK throws after an error result and when the agent exits: the result, or its absence, decides the end.
    } finally {
      await this.#finish()
      this.#events.close()
    }
  }

  #options() {
    const { folder, env, mcp, claude } = this.#agent
    return {
      ...queryOptions(this.#agent, this.#opening, this.#callbacks()),
      cwd: folder,
      env: { ...env },
      mcpServers: { ...mcp },
      pathToClaudeCodeExecutable: claude.program,
      spawnClaudeCodeProcess: (options: SpawnOptions) => this.#spawn(options),
    }
  }

  #spawn({ command, args }: SpawnOptions) {
    if (this.#stopReason !== null) throw new Error('The round was stopped before it started.')
    const launched = launch(this.#agent.program(command, args))
    if (launched.kind === 'not-started') {
      this.#notStarted = launched.message
      throw new Error(launched.message)
    }
    const tree = agentTree(launched)
    this.#process = { launched, tree }
    return toSpawnedProcess(launched, tree, () => this.#events.push({ kind: 'activity', activity: this.#activity }))
  }

  #callbacks(): AgentCallbacks {
    const { order, folder, archive } = this.#agent
    const scope = { agent: order.agent, folder, session: order.session }
    return {
      refuse: (toolUseId, tool, input) => {
        if (this.#handOver === 'writing-note' && tool !== FORM_TOOL)
          return 'Do not use tools now: answer with the note.'
        const reason = toolRefusal(scope, tool, input)
        if (reason !== null) this.#emit(this.#translator.recordDenial(toolUseId, tool, reason))
        return reason
      },
      shouldStop: () => this.#handOver === 'requested',
      onCompact: async () => {
        await archive()
        return order.context.guidance
      },
    }
  }

  #onMessage(message: SDKMessage): void {
    this.#emit(this.#translator.translate(message))
    if (this.end !== null) return
    const { earlyEnd } = this.#translator
    if (earlyEnd !== null) {
      this.end = earlyEnd
      this.#process?.tree.end()
    } else if (message.type === 'result') this.#onResult(message)
  }

  /** Asks for the context window of a new model before its first usage is reported. */
  async #onOpened(model: string): Promise<void> {
    const { windows } = this.#agent
    this.#isOpened = true
    if (windows.has(model)) return
    const windowRead = this.#query
      ?.getContextUsage({ detail: 'summary' })
      .then(({ maxTokens }) => windows.set(model, maxTokens))
    // Without an answer the window is unknown until the first result.
    await Promise.race([windowRead?.catch(() => {}), this.#process?.launched.ended])
  }

  #onResult(result: SDKResultMessage): void {
    const { windows, form, mask } = this.#agent
    for (const [model, { contextWindow }] of Object.entries(result.modelUsage)) windows.set(model, contextWindow)
    this.#prompts.markAnswered(result.user_message_uuids)
    const answer = readFinalAnswer(result, form, mask, this.#translator.textSincePrompt)
    const { words: text, filledIn } = answer
    if (result.subtype === 'success') this.#events.push({ kind: 'answer', text, report: filledIn?.report ?? null })
    const next = this.#nextAfter(result, answer)
    if (next === 'ask-note') this.#askNote()
    else if (next === 'open-otherwise') this.#prompts.end()
    else if (next !== 'continue') this.#conclude(next)
  }

  #nextAfter(result: SDKResultMessage, answer: FinalAnswer): RoundEnd | 'ask-note' | 'continue' | 'open-otherwise' {
    if (this.#refusesOpening(result)) return 'open-otherwise'
    if (this.#handOver === 'writing-note') return handedOver(handOffNote(result, answer))
    if (this.#handOver === 'requested' && STOPPED.has(result.terminal_reason ?? '')) return 'ask-note'
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const { signals } = this.#translator
    const claim = answer.filledIn?.claim ?? signals.claim
    const end = endOf(result, { ...signals, claim }, { now: this.#agent.clock.now(), zone })
    if (end.kind !== 'ok') return end
    if (this.#handOver === 'requested' && end.claim?.kind === 'continue') return 'ask-note'
    // A prompt that was sent since is still to be answered.
    return this.#prompts.hasUnanswered ? 'continue' : end
  }

  #refusesOpening(result: SDKResultMessage): boolean {
    if (this.#isOpened || result.subtype === 'success') return false
    this.#isRefused = result.errors.some(refusesOpening)
    return this.#isRefused
  }

  #askNote(): void {
    this.#handOver = 'writing-note'
    this.#translator.startPrompt()
    this.#prompts.say(this.#agent.order.noteRequest)
  }

  #conclude(end: RoundEnd): void {
    const { mask } = this.#agent
    this.end = { ...end, detail: mask(end.detail), note: end.note === null ? null : mask(end.note) }
    const { costUsd } = this.#translator.usage
    if (costUsd !== null) this.#events.push({ kind: 'cost', usd: costUsd })
    this.#prompts.end()
    this.#process?.tree.endSoon()
  }

  /** Ends the remaining processes, and derives the end of the round when there was no result. */
  async #finish(): Promise<void> {
    this.#prompts.end()
    this.#process?.tree.end()
    const survivors = (await this.#process?.tree.survivors) ?? []
    if (this.end === null) this.#emit(this.#translator.recordedCalls(await this.#agent.recordedCalls()))
    this.#emit(this.#translator.unfinishedCalls())
    const stderr = this.#process?.launched.stderrTail() ?? ''
    this.#isRefused ||= !this.#isOpened && refusesOpening(stderr)
    if (this.end === null && (this.#stopReason !== null || !this.#isRefused)) {
      // With survivors, the agent itself may never exit.
      const exit = survivors.length > 0 ? null : await this.#process?.launched.ended
      this.end = this.#endWithoutResult() ?? crashedEnd(exit ?? null, this.#notStarted ?? this.#agent.mask(stderr))
    }
    if (this.end !== null) this.end = withSurvivors(this.end, survivors)
  }

  #endWithoutResult(): RoundEnd | null {
    if (this.#stopReason === null) return null
    return this.#stopReason === 'timeout' && this.#handOver === 'writing-note'
      ? handedOver(null)
      : stoppedEnd(this.#stopReason)
  }

  #emit(events: Iterable<AgentEvent>): void {
    for (const event of events) {
      if (event.kind === 'activity') this.#activity = event.activity
      this.#events.push(event)
    }
  }
}

// Reasons of turns that our hook stopped or that we interrupted.
const STOPPED = new Set(['hook_stopped', 'aborted_tools', 'aborted_streaming'])

function handedOver(note: string | null): RoundEnd {
  return { ...roundEnd('context-exhausted', 'The session was asked to hand over.'), note }
}
