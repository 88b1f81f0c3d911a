import { receiptsOf } from '../core/checks/receipts-of.ts'
import type { EffectBase } from '../core/model/effect.ts'
import type { LedgerId, RequestId, RunId } from '../core/model/ids.ts'
import type { Decision, Moment } from '../core/model/input.ts'
import type { Problem } from '../core/model/problem.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { Machine, Mode } from './machine.ts'
import { type Performed, problemFrom, UnderWay } from './under-way.ts'

export interface LoopOptions<State, Input, Event extends { readonly kind: string }, Effect extends EffectBase, Report> {
  readonly machine: Machine<State, Input, Event, Effect>
  readonly ledger: LedgerId
  readonly store: Store
  readonly clock: Clock
  perform(effect: Effect, signal: AbortSignal): Promise<Performed<Report> | null>
  troubled(problem: Problem): Report
  reported(effect: string, report: Report): Input
  readonly tick: Input
  /** The run's summary row after a step. */
  summary?(state: State): { readonly run: RunId; readonly row: unknown }
  /** Facts that have just become durable, the first at this place. */
  appended(events: readonly Event[], firstSeq: number): void
  /** Something happened, or ended: the owner may look again. */
  settled(): void
  /** The ledger belongs to somebody else now, or cannot be written: nothing of ours may go on. */
  halt(problem: Problem): void
}

interface Posted<Input, Event> {
  readonly input: Input
  readonly blobs: ReadonlyMap<string, string> | undefined
  /** The request that waits for an answer in the append's own transaction. */
  readonly request: RequestId | undefined
  resolve(decision: Decision<Event> | null): void
}

/** One ledger's writer: decides, records, and then brings the world in line, one step after another. */
export class LedgerLoop<State, Input, Event extends { readonly kind: string }, Effect extends EffectBase, Report> {
  readonly state: State
  readonly #options: LoopOptions<State, Input, Event, Effect, Report>
  readonly #underWay: UnderWay<Effect, Report>
  #queue: Posted<Input, Event>[] = []
  #isPumping = false
  #isDead = false
  #mode: Mode = 'recording'
  #epoch = 0
  #seq = 0
  #steppedAt = 0
  #cancelTimer: () => void = () => {}

  constructor(options: LoopOptions<State, Input, Event, Effect, Report>) {
    this.#options = options
    this.state = options.machine.fresh()
    this.#underWay = new UnderWay({
      clock: options.clock,
      perform: options.perform,
      troubled: options.troubled,
      ended: (effect, { report, blobs }) => void this.post(options.reported(effect.id, report), { blobs }),
      freed: () => this.#align(),
      halt: (problem) => this.#die(problem),
    })
  }

  /** Becomes the ledger's one writer and folds what it holds. */
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

  /** What is due in this moment. */
  due(): readonly Effect[] {
    return this.#options.machine.effectsDue(this.state, this.#options.clock.now())
  }

  get isIdle(): boolean {
    return this.#underWay.isIdle && this.#queue.length === 0 && !this.#isPumping
  }

  /** Puts an input in line; answers when its facts are durable, or with null when the writer has died. */
  post(
    input: Input,
    extra: { readonly blobs?: ReadonlyMap<string, string> | undefined; readonly request?: RequestId } = {},
  ): Promise<Decision<Event> | null> {
    if (this.#isDead) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#queue.push({ input, blobs: extra.blobs, request: extra.request, resolve })
      void this.#pump()
    })
  }

  /** Changes how far the loop goes. */
  async go(mode: Mode): Promise<void> {
    if (this.#isDead) return
    this.#mode = mode
    await this.post(this.#options.tick)
    this.#align()
  }

  /** Ends some of what is going on. */
  abort(which: (effect: Effect) => boolean): void {
    this.#underWay.abort(which)
  }

  /** Stops writing and ends what is going on. */
  stop(): void {
    this.#isDead = true
    this.#cancelTimer()
    this.#underWay.align([], 'recording')
  }

  /** Stops, and waits until everything it started is over. */
  async close(): Promise<void> {
    this.stop()
    await this.#underWay.over()
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return
    this.#isPumping = true
    while (this.#queue.length > 0 && !this.#isDead) {
      const batch = this.#queue
      this.#queue = []
      await this.#step(batch)
    }
    this.#isPumping = false
    if (this.#isDead) for (const posted of this.#queue.splice(0)) posted.resolve(null)
    else this.#align()
  }

  async #step(batch: readonly Posted<Input, Event>[]): Promise<void> {
    const at = this.#options.clock.now()
    this.#steppedAt = at
    const events: Event[] = []
    try {
      const decisions = batch.map((posted) => this.#decide(posted.input, at, events))
      this.#settle(at, events)
      await this.#append(at, events, batch, decisions)
      for (const [index, posted] of batch.entries()) posted.resolve(this.#isDead ? null : (decisions[index] ?? null))
    } catch (cause) {
      this.#die(problemFrom(cause, this.#options.ledger))
      for (const posted of batch) posted.resolve(null)
    }
  }

  #decide(input: Input, at: number, events: Event[]): Decision<Event> {
    const decision = this.#options.machine.decide(this.state, input, this.#moment(at))
    if (decision.kind === 'accepted') this.#take(decision.events, at, events)
    return decision
  }

  #settle(at: number, events: Event[]): void {
    if (this.#mode !== 'driving') return
    const { machine } = this.#options
    for (let next = machine.settle(this.state, this.#moment(at)); next.length > 0; ) {
      this.#take(next, at, events)
      next = machine.settle(this.state, this.#moment(at))
    }
  }

  #take(fresh: readonly Event[], at: number, events: Event[]): void {
    for (const event of fresh) {
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
    batch: readonly Posted<Input, Event>[],
    decisions: readonly Decision<Event>[],
  ): Promise<void> {
    const answers = batch.flatMap(({ request }, index) =>
      request === undefined ? [] : [{ id: request, body: answerOf(decisions[index]) }],
    )
    if (events.length === 0 && answers.length === 0) return
    const blobs = new Map(batch.flatMap((posted) => [...(posted.blobs ?? [])]))
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
    if (result.kind === 'conflict') {
      this.#die({
        kind: 'problem',
        code: 'not-the-writer',
        message: `${ledger}: ${result.reason}`,
        hint: 'Another engine has taken over.',
        retry: 'never',
      })
      return
    }
    const firstSeq = this.#seq + 1
    this.#seq = result.seq
    if (!this.#isDead) this.#options.appended(events, firstSeq)
  }

  #align(): void {
    if (this.#isDead || this.#isPumping) return
    this.#underWay.align(this.due(), this.#mode)
    this.#setTimer()
    this.#options.settled()
  }

  #setTimer(): void {
    this.#cancelTimer()
    this.#cancelTimer = () => {}
    if (this.#mode !== 'driving') return
    const { clock, machine, tick } = this.#options
    // A clock that was set back since the step has times before it that are still to come.
    const at = machine.wakesAt(this.state, Math.min(this.#steppedAt, clock.now()))
    if (at === null) return
    this.#cancelTimer = clock.after(Math.max(0, at - clock.now()), () => void this.post(tick))
  }

  #die(problem: Problem): void {
    if (this.#isDead) return
    this.stop()
    this.#options.halt(problem)
  }
}

/** What the one who asked gets to read. */
function answerOf<Event extends { readonly kind: string }>(decision: Decision<Event> | undefined): RequestAnswer {
  if (decision === undefined) throw new Error('a request has no decision')
  if (decision.kind === 'refused') return { kind: 'refused', problem: decision.problem }
  const counts: Record<string, number> = {}
  for (const event of decision.events) counts[event.kind] = (counts[event.kind] ?? 0) + 1
  return { kind: 'accepted', counts }
}

/** How a request was answered: refused with a problem, or accepted with how many facts of each kind. */
export type RequestAnswer =
  | { readonly kind: 'accepted'; readonly counts: Readonly<Record<string, number>> }
  | { readonly kind: 'refused'; readonly problem: Problem }
