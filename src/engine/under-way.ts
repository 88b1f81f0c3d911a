import { RESTART_PAUSE_MS, TROUBLE_DELAY_MS, TROUBLE_TRIES_MAX } from '../core/limits/limits.ts'
import type { EffectBase } from '../core/model/effect.ts'
import { carriedProblem, isMachineWide, isProblem, type Problem, problem } from '../core/model/problem.ts'
import type { Clock } from '../ports/clock.ts'
import type { Mode } from './machine.ts'

/** What performing an effect brings back; null: nothing to report. */
export interface Performed<Report> {
  readonly report: Report
  /** Long texts that belong to the report, by digest. */
  readonly blobs?: ReadonlyMap<string, string>
}

export interface UnderWayOptions<Effect extends EffectBase, Report> {
  readonly clock: Clock
  perform(effect: Effect, signal: AbortSignal): Promise<Performed<Report> | null>
  troubled(problem: Problem): Report
  /** An effect has ended by itself. */
  ended(effect: Effect, performed: Performed<Report>): void
  /** A room is free again. */
  freed(): void
  /** The machine, not the work, is in trouble: stop everything. */
  halt(problem: Problem): void
}

interface Going<Effect> {
  readonly effect: Effect
  readonly controller: AbortController
  readonly over: Promise<void>
}

/** Keeps what is going on in line with what is due. */
export class UnderWay<Effect extends EffectBase, Report> {
  readonly #options: UnderWayOptions<Effect, Report>
  readonly #going = new Map<string, Going<Effect>>()
  readonly #resting = new Set<string>()

  constructor(options: UnderWayOptions<Effect, Report>) {
    this.#options = options
  }

  /** Cancels what is no longer due and starts what is, one at a time in each room. */
  align(due: readonly Effect[], mode: Mode): void {
    const wanted = new Set(due.map((effect) => effect.id))
    for (const [id, going] of this.#going) if (!wanted.has(id)) going.controller.abort()
    if (mode === 'recording') return
    for (const effect of due) {
      const mayStart = mode === 'driving' || effect.saves
      if (mayStart && !this.#resting.has(effect.id) && !this.#isOccupied(effect.room)) this.#start(effect)
    }
  }

  get isIdle(): boolean {
    return this.#going.size === 0
  }

  /** Ends some of what is going on; what is repeatable starts again another time. */
  abort(which: (effect: Effect) => boolean): void {
    for (const { effect, controller } of this.#going.values()) if (which(effect)) controller.abort()
  }

  /** Waits until nothing is going on. */
  async over(): Promise<void> {
    while (this.#going.size > 0) await Promise.all([...this.#going.values()].map((going) => going.over))
  }

  #isOccupied(room: string): boolean {
    for (const { effect } of this.#going.values()) if (effect.room === room) return true
    return false
  }

  #start(effect: Effect): void {
    const controller = new AbortController()
    const over = this.#perform(effect, controller.signal).then((performed) => {
      this.#going.delete(effect.id)
      if (!controller.signal.aborted) this.#rest(effect.id)
      if (performed !== null && !controller.signal.aborted) this.#options.ended(effect, performed)
      this.#options.freed()
    })
    this.#going.set(effect.id, { effect, controller, over })
  }

  /** What ended and is due all the same starts again, but never in a hot loop. */
  #rest(id: string): void {
    this.#resting.add(id)
    this.#options.clock.after(RESTART_PAUSE_MS, () => {
      this.#resting.delete(id)
      this.#options.freed()
    })
  }

  /** Tries a repeatable effect that meets trouble a few times before it is reported. */
  async #perform(effect: Effect, signal: AbortSignal): Promise<Performed<Report> | null> {
    for (let tries = 1; ; tries += 1) {
      const result = await this.#attempt(effect, signal)
      if (!isProblem(result)) return result
      if (isMachineWide(result)) {
        this.#options.halt(result)
        return null
      }
      const again = effect.class === 'repeatable' && result.retry === 'later' && tries < TROUBLE_TRIES_MAX
      if (!again || signal.aborted) return { report: this.#options.troubled(result) }
      await pause(this.#options.clock, TROUBLE_DELAY_MS * tries, signal)
    }
  }

  async #attempt(effect: Effect, signal: AbortSignal): Promise<Performed<Report> | Problem | null> {
    try {
      return await this.#options.perform(effect, signal)
    } catch (cause) {
      return problemFrom(cause, effect.id)
    }
  }
}

/** Returns the problem that an exception carries, or one that calls the exception unexpected. */
export function problemFrom(cause: unknown, what: string): Problem {
  const carried = carriedProblem(cause)
  if (carried !== null) return carried
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  return problem({
    code: 'unexpected',
    message: `${what} met something unexpected: ${text}`,
    hint: 'This is a fault of Longhaul; please report it.',
    retry: 'never',
    cause,
  })
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })
}
