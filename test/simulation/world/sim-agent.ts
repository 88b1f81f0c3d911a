import type { RoundOrder } from '../../../src/core/model/effect.ts'
import type { SessionId } from '../../../src/core/model/ids.ts'
import type { AgentEndKind, Claim, HandOverMoment, RoundEnd, UsageReport } from '../../../src/core/model/round.ts'
import type { ToolCall } from '../../../src/core/model/tool-call.ts'
import { NO_TOTALS } from '../../../src/core/model/usage.ts'
import type { AgentDriver, AgentEvent, AgentRound, RoundSpec } from '../../../src/ports/agent-driver.ts'
import type { ToolAccess } from '../../../src/ports/agent-tools.ts'
import type { SimDisk, SimProcess } from './sim-disk.ts'
import type { SimTime } from './sim-time.ts'

/** Step of a simulated agent's script. */
export type SimStep =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  /** Merges landed work into its own, as the prompt asks. */
  | { readonly kind: 'merge' }
  | {
      readonly kind: 'usage'
      readonly usage: Omit<UsageReport, 'session' | 'message' | 'model' | 'scope' | 'hourCacheWrite'>
      readonly twice: boolean
    }
  | { readonly kind: 'end'; readonly end: AgentEndKind; readonly claim: Claim | null; readonly resetAt: number | null }
  /** Note for a hand-off. */
  | { readonly kind: 'note'; readonly text: string }
  /** Calls one of our tools and continues without waiting for the answer. */
  | { readonly kind: 'call'; readonly call: ToolCall }
  /** Text answer; the last one of a round counts. */
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'hang' }

export interface SimAgentOptions {
  readonly time: SimTime
  readonly disk: SimDisk
  stepsFor(order: RoundOrder): readonly SimStep[]
  /** Duration of one step. */
  stepMs(): number
  merge(workspace: string, prompt: string): void
  /** Returns true when the agent accepts text during a round. */
  acceptsText?(): boolean
  /** Receives every text that is sent to an agent. */
  onText?(order: RoundOrder, text: string): void
  /** Delivers a call to the engine that admitted the agent; without it, agents have no tools. */
  call?(tools: ToolAccess, call: ToolCall): void
  /** Receives the usage of every call, whether an engine receives it or not. */
  onUsage?(usage: UsageReport): void
}

/** Driver for simulated agents, which are processes of the world and outlive an engine. */
export function simAgent(options: SimAgentOptions): AgentDriver {
  return {
    name: 'sim',
    capabilities: {
      resume: true,
      steer: true,
      contextSize: true,
      cost: true,
      maxTurns: false,
      structuredErrors: true,
      tools: options.call !== undefined,
      forms: false,
    },
    ready: async () => null,
    start: (spec) => startAgent(options, spec),
  }
}

function startAgent(options: SimAgentOptions, spec: RoundSpec): AgentRound {
  const events = new EventQueue()
  const process = new SimAgentProcess(options, spec, events)
  process.begin()
  return {
    events,
    cancel: (reason) => process.cancel(reason),
    handOver: (when) => process.handOver(when),
    say: (text) => process.acceptText(text),
  }
}

let messages = 0

class SimAgentProcess implements SimProcess {
  readonly workspace: string
  readonly purpose = 'agent'
  readonly #options: SimAgentOptions
  readonly #order: RoundOrder
  readonly #tools: ToolAccess | null
  readonly #events: EventQueue
  readonly #steps: SimStep[]
  readonly #note: string | null
  #isHandingOver = false
  #stop: () => void = () => {}

  constructor(options: SimAgentOptions, { order, folder, tools }: RoundSpec, events: EventQueue) {
    this.#options = options
    this.#order = order
    this.#tools = tools
    this.#events = events
    this.workspace = folder
    const steps = options.stepsFor(order)
    this.#note = steps.find((step) => step.kind === 'note')?.text ?? null
    this.#steps = steps.filter((step) => step.kind !== 'note')
  }

  begin(): void {
    this.#options.disk.processes.add(this)
    const { prompt, opening, sessionKnown } = this.#order
    this.#options.onText?.(this.#order, sessionKnown ? prompt : opening)
    this.#events.push({
      kind: 'session-opened',
      session: this.#order.session as SessionId,
      model: 'scripted',
      cli: null,
    })
    this.#later()
  }

  cancel(reason: 'cancelled' | 'timeout'): void {
    if (!this.#isAlive) return
    // The usage of the interrupted turn arrives after the round has ended for the engine.
    this.#reportUsage({ kind: 'usage', usage: { tokens: NO_TOTALS.tokens, window: null }, twice: false })
    this.#finish({ kind: reason, detail: 'the engine cancelled it' })
  }

  handOver(when: HandOverMoment): void {
    this.#isHandingOver = true
    if (when === 'now' && this.#isAlive) this.#handOver()
  }

  /** Returns false when the agent takes no text during a round. */
  acceptText(text: string): boolean {
    if (!this.#isAlive || !this.#options.acceptsText?.()) return false
    this.#options.onText?.(this.#order, text)
    return true
  }

  end(reason: 'killed' | 'crashed'): void {
    if (this.#isAlive) this.#finish({ kind: 'crashed', detail: reason })
  }

  get #isAlive(): boolean {
    return this.#options.disk.processes.has(this)
  }

  #later(): void {
    this.#stop = this.#options.time.after(this.#options.stepMs(), () => this.#next())
  }

  #handOver(): void {
    this.#finish({ kind: 'context-exhausted', detail: 'a hand-off was requested', note: this.#note })
  }

  #next(): void {
    if (this.#isHandingOver) {
      this.#handOver()
      return
    }
    const step = this.#steps.shift()
    switch (step?.kind) {
      case 'write':
        this.#options.disk.write(this.workspace, step.path, step.text)
        break
      case 'delete':
        this.#options.disk.workspaces.get(this.workspace)?.files.delete(step.path)
        break
      case 'merge':
        this.#options.merge(this.workspace, `${this.#order.prompt}\n${this.#order.opening}`)
        break
      case 'usage':
        this.#reportUsage(step)
        break
      case 'call':
        if (this.#tools !== null) this.#options.call?.(this.#tools, step.call)
        break
      case 'say':
        this.#events.push({ kind: 'answer', text: step.text, report: null })
        break
      case 'hang':
        return
      case 'end':
        this.#finish({ kind: step.end, detail: `simulated ${step.end}`, claim: step.claim, resetAt: step.resetAt })
        return
      case undefined:
        this.#finish({ kind: 'ok', detail: 'no steps are left' })
        return
    }
    this.#later()
  }

  #reportUsage(step: Extract<SimStep, { kind: 'usage' }>): void {
    messages += 1
    const usage: UsageReport = {
      ...step.usage,
      session: this.#order.session,
      message: `m${messages}`,
      model: 'scripted',
      scope: 'main',
      hourCacheWrite: 0,
    }
    this.#options.onUsage?.(usage)
    this.#events.push({ kind: 'usage', usage })
    if (step.twice) this.#events.push({ kind: 'usage', usage })
  }

  #finish(end: Pick<RoundEnd, 'kind' | 'detail'> & Partial<RoundEnd>): void {
    this.#stop()
    this.#options.disk.processes.delete(this)
    this.#events.push({ kind: 'ended', end: { claim: null, resetAt: null, note: null, ...end } })
    this.#events.close()
  }
}

/** Queue of events for one reader. */
class EventQueue implements AsyncIterable<AgentEvent> {
  readonly #events: AgentEvent[] = []
  #isClosed = false
  #wake: () => void = () => {}

  push(event: AgentEvent): void {
    this.#events.push(event)
    this.#wake()
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncIterator<AgentEvent> {
    for (;;) {
      const event = this.#events.shift()
      if (event !== undefined) yield event
      else if (this.#isClosed) return
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}
