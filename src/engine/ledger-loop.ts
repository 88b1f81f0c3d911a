import { receiptsOf } from '../core/checks/check-run.ts'
import type { EffectBase } from '../core/model/effect.ts'
import type { LedgerId, RequestId, RunId } from '../core/model/ids.ts'
import type { Decision, Moment } from '../core/model/input.ts'
import { type Problem, problem } from '../core/model/problem.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { EffectResult } from './effect-result.ts'
import { answerFrom } from './requests.ts'
import { type EngineMode, problemFrom, RunningEffects } from './running-effects.ts'
import type { StateMachine } from './state-machines.ts'

export interface LedgerLoopOptions<
  State,
  Input,
  Event extends { readonly kind: string },
  Effect extends EffectBase,
  Report,
> {
  readonly machine: StateMachine<State, Input, Event, Effect>
  readonly ledger: LedgerId
  readonly store: Store
  readonly clock: Clock
  readonly tick: Input
  perform(effect: Effect, signal: AbortSignal): Promise<EffectResult<Report> | null>
  troubleReport(problem: Problem): Report
  reportInput(effect: string, report: Report): Input
  /** Returns the run's summary row, which is stored with each append. */
  summary?(state: State): { readonly run: RunId; readonly row: unknown }
  /** Called with events that have just become durable. */
  onAppend(events: readonly Event[], firstSeq: number): void
  /** Called when the queue is empty and the effects have been reconciled. */
  onSettled(): void
  /** Called when another process owns the ledger, or it cannot be written: everything has to stop. */
  onHalt(problem: Problem): void
}

interface QueuedInput<Input, Event> {
  readonly input: Input
  readonly blobs: ReadonlyMap<string, string> | undefined
  /** Set when the input is a request: its answer is stored in the same transaction as its events. */
  readonly request: RequestId | undefined
  resolve(decision: Decision<Event> | null): void
}

/** Only writer of one ledger: decides on inputs, appends their events, then reconciles the running effects. */
export class LedgerLoop<State, Input, Event extends { readonly kind: string }, Effect extends EffectBase, Report> {
  readonly state: State
  readonly #options: LedgerLoopOptions<State, Input, Event, Effect, Report>
  readonly #effects: RunningEffects<Effect, Report>
  #queue: QueuedInput<Input, Event>[] = []
  #isBusy = false
  #isStopped = false
  #mode: EngineMode = 'recording'
  #epoch = 0
  #seq = 0
  #steppedAt = 0
  #cancelTimer: () => void = () => {}

  constructor(options: LedgerLoopOptions<State, Input, Event, Effect, Report>) {
    this.#options = options
    this.state = options.machine.initialState()
    this.#effects = new RunningEffects({
      clock: options.clock,
      perform: options.perform,
      troubleReport: options.troubleReport,
      onResult: (effect, { report, blobs }) => void this.post(options.reportInput(effect.id, report), { blobs }),
      onFree: () => this.#reconcile(),
      onHalt: (problem) => this.#halt(problem),
    })
  }

  /** Claims the ledger, which locks out earlier writers, and replays its events. */
  async open(): Promise<void> {
    const { store, ledger, machine } = this.#options
    const { epoch } = await store.claim(ledger)
    this.#epoch = epoch
    for await (const chunk of store.read(ledger, 0)) {
      for (const { event, at, seq } of chunk) {
        machine.evolve(this.state, event as Event, at)
        this.#seq = seq
      }
    }
  }

  effectsDue(): readonly Effect[] {
    return this.#options.machine.effectsDue(this.state, this.#options.clock.now())
  }

  get isIdle(): boolean {
    return this.#effects.isIdle && this.#queue.length === 0 && !this.#isBusy
  }

  /** Queues an input; resolves when its events are durable, or to null when the loop has stopped. */
  post(
    input: Input,
    extra: { readonly blobs?: ReadonlyMap<string, string> | undefined; readonly request?: RequestId } = {},
  ): Promise<Decision<Event> | null> {
    if (this.#isStopped) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#queue.push({ input, blobs: extra.blobs, request: extra.request, resolve })
      void this.#workThroughQueue()
    })
  }

  async setMode(mode: EngineMode): Promise<void> {
    if (this.#isStopped) return
    this.#mode = mode
    await this.post(this.#options.tick)
    this.#reconcile()
  }

  abortEffects(matches: (effect: Effect) => boolean): void {
    this.#effects.abort(matches)
  }

  /** Stops writing and cancels all effects. */
  stop(): void {
    this.#isStopped = true
    this.#cancelTimer()
    this.#effects.reconcile([], 'recording')
  }

  /** Stops, and waits until all effects have ended. */
  async close(): Promise<void> {
    this.stop()
    await this.#effects.finished()
  }

  async #workThroughQueue(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    while (this.#queue.length > 0 && !this.#isStopped) {
      const batch = this.#queue
      this.#queue = []
      await this.#step(batch)
    }
    this.#isBusy = false
    if (this.#isStopped) for (const { resolve } of this.#queue.splice(0)) resolve(null)
    else this.#reconcile()
  }

  async #step(batch: readonly QueuedInput<Input, Event>[]): Promise<void> {
    const at = this.#options.clock.now()
    this.#steppedAt = at
    const events: Event[] = []
    try {
      const decisions = batch.map(({ input }) => this.#decide(input, at, events))
      this.#settle(at, events)
      await this.#append(at, events, batch, decisions)
      for (const [index, { resolve }] of batch.entries()) resolve(this.#isStopped ? null : (decisions[index] ?? null))
    } catch (cause) {
      this.#halt(problemFrom(cause, this.#options.ledger))
      for (const { resolve } of batch) resolve(null)
    }
  }

  #decide(input: Input, at: number, events: Event[]): Decision<Event> {
    const decision = this.#options.machine.decide(this.state, input, this.#moment(at))
    if (decision.kind === 'accepted') this.#apply(decision.events, at, events)
    return decision
  }

  #settle(at: number, events: Event[]): void {
    if (this.#mode !== 'driving') return
    const { machine } = this.#options
    for (let next = machine.settle(this.state, this.#moment(at)); next.length > 0; ) {
      this.#apply(next, at, events)
      next = machine.settle(this.state, this.#moment(at))
    }
  }

  #apply(newEvents: readonly Event[], at: number, events: Event[]): void {
    for (const event of newEvents) {
      this.#options.machine.evolve(this.state, event, at)
      events.push(event)
    }
  }

  #moment(at: number): Moment {
    return { at, uuid: this.#options.clock.uuid() }
  }

  async #append(
    at: number,
    events: readonly Event[],
    batch: readonly QueuedInput<Input, Event>[],
    decisions: readonly Decision<Event>[],
  ): Promise<void> {
    const answers = decisions.flatMap((decision, index) => {
      const id = batch[index]?.request
      return id === undefined ? [] : [{ id, body: answerFrom(decision) }]
    })
    if (events.length === 0 && answers.length === 0) return
    const blobs = new Map(batch.flatMap((queued) => [...(queued.blobs ?? [])]))
    const receipts = events.flatMap(receiptsOf)
    const { ledger, store, summary } = this.#options
    const result = await store.append({
      ledger,
      epoch: this.#epoch,
      after: this.#seq,
      at,
      events,
      blobs,
      answers,
      ...(receipts.length === 0 ? {} : { receipts }),
      ...(summary === undefined ? {} : { summary: summary(this.state) }),
    })
    if (result.kind === 'conflict') return this.#halt(notTheWriter(ledger, result.reason))
    const firstSeq = this.#seq + 1
    this.#seq = result.seq
    if (!this.#isStopped) this.#options.onAppend(events, firstSeq)
  }

  #reconcile(): void {
    if (this.#isStopped || this.#isBusy) return
    this.#effects.reconcile(this.effectsDue(), this.#mode)
    this.#setTimer()
    this.#options.onSettled()
  }

  #setTimer(): void {
    this.#cancelTimer()
    this.#cancelTimer = () => {}
    if (this.#mode !== 'driving') return
    const { clock, machine, tick } = this.#options
    // After the clock was set back, times that were in the past at the last step lie in the future again.
    const at = machine.wakesAt(this.state, Math.min(this.#steppedAt, clock.now()))
    if (at === null) return
    this.#cancelTimer = clock.after(Math.max(0, at - clock.now()), () => void this.post(tick))
  }

  #halt(problem: Problem): void {
    if (this.#isStopped) return
    this.stop()
    this.#options.onHalt(problem)
  }
}

function notTheWriter(ledger: LedgerId, reason: string): Problem {
  return problem({
    code: 'not-the-writer',
    message: `${ledger} cannot be written here any more: ${reason}`,
    hint: 'Another engine has taken over this run; see it with "longhaul watch".',
    retry: 'never',
  })
}
