import { Tally } from './tally.ts'

/**
 * Runs of one framework in an output. Of a run, the last summary counts, because a runner prints its own after all that
 * its tests print; a run inside another is something that a test prints. Runs after each other add up.
 */
export class Runs {
  /** Tally of the run that is being read. */
  tally = new Tally()
  readonly #before = new Tally()
  #state: 'none' | 'open' | 'summed' = 'none'
  /** Number of headers inside the open run that no summary has followed yet. */
  #inside = 0

  /** True inside of something that a test printed. */
  get isInside(): boolean {
    return this.#inside > 0
  }

  /** Takes note of a runner's first line. */
  begin(): void {
    if (this.#state === 'summed') this.next()
    if (this.#state === 'open') this.#inside += 1
    this.#state = 'open'
  }

  /** Takes note of a summary that replaces the counts so far; returns the tally that it counts for. */
  sum(): Tally {
    this.tally.clearCounts()
    this.tally.durationMs = null
    return this.end()
  }

  /** Takes note of the end of a run whose tests were counted one by one. */
  end(): Tally {
    if (this.#inside > 0) this.#inside -= 1
    else this.#state = 'summed'
    return this.tally
  }

  /** Closes a run that has a summary, because another command begins. */
  next(): void {
    if (this.#state !== 'summed') return
    this.tally.settle()
    this.#before.add(this.tally)
    this.tally = new Tally()
    this.#state = 'none'
    this.#inside = 0
  }

  /** Returns the tally of all runs. */
  total(): Tally {
    this.tally.settle()
    const total = new Tally()
    total.add(this.#before)
    total.add(this.tally)
    return total
  }
}
