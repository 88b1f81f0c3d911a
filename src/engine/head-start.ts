import type { AttemptId } from '../core/model/ids.ts'
import type { Clock } from '../ports/clock.ts'

// Making a workspace and starting an agent take milliseconds, a third more beside a landing: both want the same cores
// and the same disk. An agent then works for minutes.

/** Lets agents begin before other work that can wait for a moment. */
export class HeadStart {
  readonly #clock: Clock
  readonly #beginning = new Set<AttemptId>()
  readonly #waiting = new Set<() => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** An attempt has a slot, and no agent yet. */
  give(attempt: AttemptId): void {
    this.#beginning.add(attempt)
  }

  /** It has its agent, or gets none. */
  end(attempt: AttemptId): void {
    this.#beginning.delete(attempt)
    if (this.#beginning.size > 0) return
    for (const go of this.#waiting) go()
  }

  /** Settles when every agent that is to begin has begun; after a moment in any case, as a setup may take long. */
  async over(): Promise<void> {
    if (this.#beginning.size === 0) return
    await new Promise<void>((resolve) => {
      const go = () => {
        cancel()
        this.#waiting.delete(go)
        resolve()
      }
      const cancel = this.#clock.after(HEAD_START_MS, go)
      this.#waiting.add(go)
    })
  }
}

const HEAD_START_MS = 50
