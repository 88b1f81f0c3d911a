import type { Clock } from '../../../src/ports/clock.ts'
import type { Random } from './random.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly wake: () => void
}

/** The world's time: it passes only from one timer to the next. What the wall clock shows may jump. */
export class SimTime {
  #now = 1_800_000_000_000
  #skew = 0
  #order = 0
  #timers: Timer[] = []
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** The world's own time, which never jumps. */
  get now(): number {
    return this.#now
  }

  /** What an engine sees of it. */
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

  /** Settles after a while. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve)
    })
  }

  /** The wall clock is set forward or back. */
  jump(ms: number): void {
    this.#skew += ms
  }

  /** Lets time pass to the next timer; false: there is none. */
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
