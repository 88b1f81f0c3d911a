import type { Clock } from '../../../src/ports/clock.ts'
import type { Random } from './random.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly wake: () => void
}

/** Simulated time: it advances from one timer to the next, while the wall clock may jump. */
export class SimTime {
  #now = 1_800_000_000_000
  #skew = 0
  #order = 0
  #timers: Timer[] = []
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** Monotonic time of the world. */
  get now(): number {
    return this.#now
  }

  /** Returns the wall clock that an engine reads. */
  clock(): Clock {
    return {
      now: () => this.#now + this.#skew,
      uuid: () => this.#random.uuid(),
      after: (ms, wake) => this.after(ms, wake),
    }
  }

  after(ms: number, wake: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), order: this.#order++, wake }
    this.#timers.push(timer)
    return () => {
      const index = this.#timers.indexOf(timer)
      if (index >= 0) this.#timers.splice(index, 1)
    }
  }

  /** Resolves after a simulated delay. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve)
    })
  }

  /** Sets the wall clock forward or back. */
  jump(ms: number): void {
    this.#skew += ms
  }

  /** Advances to the next timer; returns false when there is none. */
  advance(): boolean {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) next = timer
    }
    if (next === undefined) return false
    this.#timers.splice(this.#timers.indexOf(next), 1)
    this.#now = next.at
    next.wake()
    return true
  }
}
