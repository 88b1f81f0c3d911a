import type { McpServerConfig, Query, SDKMessage, SDKResultMessage, SpawnOptions } from '@anthropic-ai/claude-agent-sdk'
import type { Activity } from '../../../core/model/activity.ts'
import type { AnswerForm } from '../../../core/model/agent-report.ts'
import type { RoundOrder } from '../../../core/model/effect.ts'
import type { HandOverMoment, RoundEnd } from '../../../core/model/round.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import type { Clock } from '../../../ports/clock.ts'
import { type Launched, launch, type Program } from '../../../process/launch.ts'
import { type AgentTree, agentTree } from '../agent-tree.ts'
import { crashed, ended, stopped, withSurvivors } from '../ends-without-result.ts'
import { FORM_TOOL, refusal } from './access.ts'
import { asSpawned } from './as-spawned.ts'
import { Channel } from './channel.ts'
import { type LastAnswer, lastAnswer, noteIn } from './last-answer.ts'
import type { Mask } from './mask.ts'
import { Prompts } from './prompts.ts'
import { type Opening, type Questions, queryOptions } from './query-options.ts'
import { RoundConversation } from './round-conversation.ts'
import { endOf, refusesOpening } from './round-end.ts'
import type { Claude } from './sdk.ts'
import type { Call } from './usage-count.ts'

/** An agent that is ready to be started. */
export interface ClaudeToStart {
  readonly claude: Claude
  readonly order: RoundOrder
  readonly form: AnswerForm | null
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly mcp: Readonly<Record<string, McpServerConfig>>
  readonly mask: Mask
  readonly clock: Clock
  /** The context windows of models, as far as agents have told them. */
  readonly windows: Map<string, number>
  readonly program: (file: string, args: readonly string[]) => Program
  /** Keeps what the agent has written of its session so far. */
  readonly archive: (transcript: string) => Promise<void>
  /** The calls of the session that the agent itself has on record. */
  readonly recordedCalls: () => Promise<readonly Call[]>
  /** Whether this engine has heard all that the session said before. */
  readonly isHeard: boolean
  /** Lets a session be made that a killed agent has only just begun; whether there is one. */
  readonly forgetUnbegun: () => Promise<boolean>
}

/** One process of an agent, from its start to the end of everything it started. */
export class AgentProcess {
  /** How it ended; null before that, and where the session could not be opened so. */
  end: RoundEnd | null = null
  readonly #agent: ClaudeToStart
  readonly #opening: Opening
  readonly #events = new Channel<AgentEvent>()
  readonly #prompts: Prompts
  readonly #conversation: RoundConversation
  #query: Query | null = null
  #process: { readonly launched: Launched; readonly tree: AgentTree } | null = null
  #notStarted: string | null = null
  #why: 'cancelled' | 'timeout' | null = null
  #isOpened = false
  #isRefused = false
  #handOver: 'unasked' | 'asked' | 'noting' = 'unasked'
  #isInterrupted = false
  #activity: Activity = { kind: 'waiting' }

  constructor(agent: ClaudeToStart, opening: Opening) {
    const { order, mask, clock, windows } = agent
    this.#agent = agent
    this.#opening = opening
    this.#prompts = new Prompts(clock.uuid)
    this.#conversation = new RoundConversation({
      session: order.session,
      mask,
      now: clock.now,
      windowOf: (model) => windows.get(model) ?? null,
    })
  }

  /** Whether the agent would not open the session in this way. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Starts the agent and tells what it does, until all its processes are gone. */
  async *events(): AsyncGenerator<AgentEvent, void> {
    const run = this.#run()
    try {
      yield* this.#events.listen()
    } finally {
      // Whoever stops listening has no use for the agent either.
      this.cancel('cancelled')
      await run
    }
  }

  cancel(why: 'cancelled' | 'timeout'): void {
    this.#why ??= why
    this.#process?.tree.end()
  }

  handOver(when: HandOverMoment): void {
    if (this.end !== null || this.#handOver === 'noting') return
    this.#handOver = 'asked'
    if (when === 'boundary' || this.#isInterrupted) return
    this.#isInterrupted = true
    // It fails when the agent has just ended: then there is nothing to interrupt.
    this.#query?.interrupt().catch(() => {})
  }

  say(text: string): boolean {
    if (!this.#isOpened || this.end !== null || this.#handOver !== 'unasked' || this.#why !== null) return false
    this.#prompts.say(text)
    return true
  }

  async #run(): Promise<void> {
    try {
      const { order, claude } = this.#agent
      const { isHeard, recordedCalls } = this.#agent
      const unheard = isHeard || this.#opening === 'create' ? [] : [...(await recordedCalls())]
      this.#prompts.say(this.#opening === 'resume' ? order.prompt : order.opening)
      this.#query = claude.sdk.query({ prompt: this.#prompts, options: this.#options() })
      for await (const message of this.#query) {
        if (message.type === 'system' && message.subtype === 'init') await this.#opened(message.model)
        this.#hear(message)
        if (this.#isOpened) this.#tell(this.#conversation.recorded(unheard.splice(0)))
      }
    } catch {
      // The SDK throws after an error's result and when the agent is gone: the result, or its lack, tells the end.
    } finally {
      await this.#finish()
      this.#events.close()
    }
  }

  #options() {
    const { folder, env, mcp, claude } = this.#agent
    return {
      ...queryOptions(this.#agent, this.#opening, this.#questions()),
      cwd: folder,
      env: { ...env },
      mcpServers: { ...mcp },
      pathToClaudeCodeExecutable: claude.program,
      spawnClaudeCodeProcess: (asked: SpawnOptions) => this.#spawn(asked),
    }
  }

  #spawn({ command, args }: SpawnOptions) {
    if (this.#why !== null) throw new Error('The round is over before it began.')
    const launched = launch(this.#agent.program(command, args))
    if (launched.kind === 'not-started') {
      this.#notStarted = launched.message
      throw new Error(launched.message)
    }
    const tree = agentTree(launched)
    this.#process = { launched, tree }
    return asSpawned(launched, tree, () => this.#events.tell({ kind: 'activity', activity: this.#activity }))
  }

  #questions(): Questions {
    const { order, folder, archive } = this.#agent
    const place = { agent: order.agent, folder, session: order.session }
    return {
      refuse: (use, tool, input) => {
        if (this.#handOver === 'noting' && tool !== FORM_TOOL) return 'Use no tools now: your answer is the note.'
        const reason = refusal(place, tool, input)
        if (reason !== null) this.#tell(this.#conversation.denied(use, tool, reason))
        return reason
      },
      stopsHere: () => this.#handOver === 'asked',
      compacting: async (transcript) => {
        await archive(transcript)
        return order.context.guidance
      },
    }
  }

  #hear(message: SDKMessage): void {
    this.#tell(this.#conversation.hear(message))
    if (this.end !== null) return
    const { earlyEnd } = this.#conversation
    if (earlyEnd !== null) {
      this.end = earlyEnd
      this.#process?.tree.end()
    } else if (message.type === 'result') this.#resulted(message)
  }

  /** Asks for the window of a model that is new to us, before anything is told that it has used. */
  async #opened(model: string): Promise<void> {
    const { windows } = this.#agent
    this.#isOpened = true
    if (windows.has(model)) return
    const asked = this.#query
      ?.getContextUsage({ detail: 'summary' })
      .then(({ maxTokens }) => windows.set(model, maxTokens))
    // Without an answer the window is unknown until the first result.
    await Promise.race([asked?.catch(() => {}), this.#process?.launched.ended])
  }

  #resulted(result: SDKResultMessage): void {
    const { windows, form, mask } = this.#agent
    for (const [model, { contextWindow }] of Object.entries(result.modelUsage)) windows.set(model, contextWindow)
    this.#prompts.answered(result.user_message_uuids)
    const answer = lastAnswer(result, form, mask, this.#conversation.said)
    const { words: text, filledIn } = answer
    if (result.subtype === 'success') this.#events.tell({ kind: 'answer', text, report: filledIn?.report ?? null })
    const next = this.#nextAfter(result, answer)
    if (next === 'ask-note') this.#askNote()
    else if (next === 'try-otherwise') this.#prompts.end()
    else if (next !== 'listen') this.#conclude(next)
  }

  #nextAfter(result: SDKResultMessage, answer: LastAnswer): RoundEnd | 'ask-note' | 'listen' | 'try-otherwise' {
    if (this.#isRefusedBy(result)) return 'try-otherwise'
    if (this.#handOver === 'noting') return handedOver(noteIn(result, answer))
    if (this.#handOver === 'asked' && STOPPED.has(result.terminal_reason ?? '')) return 'ask-note'
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const { heard } = this.#conversation
    const claim = answer.filledIn?.claim ?? heard.claim
    const end = endOf(result, { ...heard, claim }, { now: this.#agent.clock.now(), zone })
    if (end.kind !== 'ok') return end
    if (this.#handOver === 'asked' && end.claim?.kind === 'continue') return 'ask-note'
    // Where somebody has said something since, its answer is still to come.
    return this.#prompts.hasUnanswered ? 'listen' : end
  }

  #isRefusedBy(result: SDKResultMessage): boolean {
    if (this.#isOpened || result.subtype === 'success') return false
    this.#isRefused = result.errors.some(refusesOpening)
    return this.#isRefused
  }

  #askNote(): void {
    this.#handOver = 'noting'
    this.#conversation.prompted()
    this.#prompts.say(this.#agent.order.noteRequest)
  }

  #conclude(end: RoundEnd): void {
    const { mask } = this.#agent
    this.end = { ...end, detail: mask(end.detail), note: end.note === null ? null : mask(end.note) }
    const { costUsd } = this.#conversation.usage
    if (costUsd !== null) this.#events.tell({ kind: 'cost', usd: costUsd })
    this.#prompts.end()
    this.#process?.tree.endSoon()
  }

  /** Ends what is left of the agent, and finds out how it ended where it did not say. */
  async #finish(): Promise<void> {
    this.#prompts.end()
    this.#process?.tree.end()
    const survivors = (await this.#process?.tree.gone) ?? []
    if (this.end === null) this.#tell(this.#conversation.recorded(await this.#agent.recordedCalls()))
    this.#tell(this.#conversation.rest())
    const stderr = this.#process?.launched.stderrTail() ?? ''
    this.#isRefused ||= !this.#isOpened && refusesOpening(stderr)
    if (this.end === null && (this.#why !== null || !this.#isRefused)) {
      // With survivors, the agent itself may be the one that never ends.
      const exit = survivors.length > 0 ? null : await this.#process?.launched.ended
      this.end = this.#endWithoutResult() ?? crashed(exit ?? null, this.#notStarted ?? this.#agent.mask(stderr))
    }
    if (this.end !== null) this.end = withSurvivors(this.end, survivors)
  }

  #endWithoutResult(): RoundEnd | null {
    if (this.#why === null) return null
    return this.#why === 'timeout' && this.#handOver === 'noting' ? handedOver(null) : stopped(this.#why)
  }

  #tell(events: Iterable<AgentEvent>): void {
    for (const event of events) {
      if (event.kind === 'activity') this.#activity = event.activity
      this.#events.tell(event)
    }
  }
}

// How a turn ends that our hook has stopped, or that we have interrupted.
const STOPPED = new Set(['hook_stopped', 'aborted_tools', 'aborted_streaming'])

function handedOver(note: string | null): RoundEnd {
  return { ...ended('context-exhausted', 'The session was asked to hand over.'), note }
}
