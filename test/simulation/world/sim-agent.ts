import type { RoundOrder } from '../../../src/core/model/effect.ts'
import type { SessionId } from '../../../src/core/model/ids.ts'
import type { AgentEndKind, Claim, HandOverMoment, RoundEnd, UsageReport } from '../../../src/core/model/round.ts'
import type { ToolCall } from '../../../src/core/model/tool-call.ts'
import { NO_TOTALS } from '../../../src/core/model/usage.ts'
import type { AgentDriver, AgentEvent, AgentRound, RoundSpec } from '../../../src/ports/agent-driver.ts'
import type { ToolAccess } from '../../../src/ports/agent-tools.ts'
import type { SimDisk, SimProcess } from './sim-disk.ts'
import type { SimTime } from './sim-time.ts'

/** What a simulated agent does, one thing after another. */
export type SimStep =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  /** Takes what has landed into its own work, the way the prompt asks for. */
  | { readonly kind: 'merge' }
  | {
      readonly kind: 'usage'
      readonly usage: Omit<UsageReport, 'session' | 'message' | 'model' | 'scope' | 'hourCacheWrite'>
      readonly twice: boolean
    }
  | { readonly kind: 'end'; readonly end: AgentEndKind; readonly claim: Claim | null; readonly resetAt: number | null }
  /** What it writes when it has to hand over. */
  | { readonly kind: 'note'; readonly text: string }
  /** Calls one of our tools, and goes on without waiting for the answer. */
  | { readonly kind: 'call'; readonly call: ToolCall }
  /** Its last words of the round, unless it says more. */
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'hang' }

export interface SimAgentOptions {
  readonly time: SimTime
  readonly disk: SimDisk
  stepsFor(order: RoundOrder): readonly SimStep[]
  /** How long one step takes. */
  stepMs(): number
  merge(workspace: string, prompt: string): void
  /** Whether an agent takes words while it works. */
  listens?(): boolean
  /** An agent has been told something. */
  told?(order: RoundOrder, text: string): void
  /** Brings a call to whoever admitted the agent; left out: the agents have no tools. */
  call?(tools: ToolAccess, call: ToolCall): void
  /** An agent has spent money, whether anybody hears of it or not. */
  spent?(usage: UsageReport): void
}

/** Simulated agents: processes of the world, which an engine hears only while it lives. */
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
  const heard = new EventLine()
  const process = new SimAgentProcess(options, spec, heard)
  process.begin()
  return {
    events: heard,
    cancel: (reason) => process.cancel(reason),
    handOver: (when) => process.handOver(when),
    say: (text) => process.hear(text),
  }
}

let messages = 0

class SimAgentProcess implements SimProcess {
  readonly workspace: string
  readonly purpose = 'agent'
  readonly #options: SimAgentOptions
  readonly #order: RoundOrder
  readonly #tools: ToolAccess | null
  readonly #heard: EventLine
  readonly #steps: SimStep[]
  readonly #note: string | null
  #isHandingOver = false
  #stop: () => void = () => {}

  constructor(options: SimAgentOptions, { order, folder, tools }: RoundSpec, heard: EventLine) {
    this.#options = options
    this.#order = order
    this.#tools = tools
    this.#heard = heard
    this.workspace = folder
    const steps = options.stepsFor(order)
    this.#note = steps.find((step) => step.kind === 'note')?.text ?? null
    this.#steps = steps.filter((step) => step.kind !== 'note')
  }

  begin(): void {
    this.#options.disk.processes.add(this)
    const { prompt, opening, sessionKnown } = this.#order
    this.#options.told?.(this.#order, sessionKnown ? prompt : opening)
    this.#heard.push({
      kind: 'session-opened',
      session: this.#order.session as SessionId,
      model: 'scripted',
      cli: null,
    })
    this.#later()
  }

  cancel(reason: 'cancelled' | 'timeout'): void {
    if (!this.#isAlive) return
    // The turn that was going on is told of after the round is over for the engine.
    this.#use({ kind: 'usage', usage: { tokens: NO_TOTALS.tokens, window: null }, twice: false })
    this.#finish({ kind: reason, detail: 'the engine said so' })
  }

  handOver(when: HandOverMoment): void {
    this.#isHandingOver = true
    if (when === 'now' && this.#isAlive) this.#handOver()
  }

  /** Some take no words while they work. */
  hear(text: string): boolean {
    if (!this.#isAlive || !this.#options.listens?.()) return false
    this.#options.told?.(this.#order, text)
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
    this.#finish({ kind: 'context-exhausted', detail: 'it was asked to hand over', note: this.#note })
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
      case 'merge':
        this.#options.merge(this.workspace, `${this.#order.prompt}\n${this.#order.opening}`)
        break
      case 'usage':
        this.#use(step)
        break
      case 'call':
        if (this.#tools !== null) this.#options.call?.(this.#tools, step.call)
        break
      case 'say':
        this.#heard.push({ kind: 'answer', text: step.text, report: null })
        break
      case 'hang':
        return
      case 'end':
        this.#finish({ kind: step.end, detail: `simulated ${step.end}`, claim: step.claim, resetAt: step.resetAt })
        return
      case undefined:
        this.#finish({ kind: 'ok', detail: 'it went home' })
        return
    }
    this.#later()
  }

  #use(step: Extract<SimStep, { kind: 'usage' }>): void {
    messages += 1
    const usage: UsageReport = {
      ...step.usage,
      session: this.#order.session,
      message: `m${messages}`,
      model: 'scripted',
      scope: 'main',
      hourCacheWrite: 0,
    }
    this.#options.spent?.(usage)
    this.#heard.push({ kind: 'usage', usage })
    if (step.twice) this.#heard.push({ kind: 'usage', usage })
  }

  #finish(end: Pick<RoundEnd, 'kind' | 'detail'> & Partial<RoundEnd>): void {
    this.#stop()
    this.#options.disk.processes.delete(this)
    this.#heard.push({ kind: 'ended', end: { claim: null, resetAt: null, note: null, ...end } })
    this.#heard.close()
  }
}

/** Events in order, for one listener. */
class EventLine implements AsyncIterable<AgentEvent> {
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
