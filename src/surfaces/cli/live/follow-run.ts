import { evolveAttempt } from '../../../core/attempt/evolve.ts'
import { newAttempt } from '../../../core/attempt/state.ts'
import type { AttemptEvent } from '../../../core/model/attempt-event.ts'
import { type AttemptId, attemptLedger, type RunId, runLedger } from '../../../core/model/ids.ts'
import type { RunEvent } from '../../../core/model/run-event.ts'
import { evolveRun } from '../../../core/run/evolve.ts'
import { newRun, type RunState } from '../../../core/run/state.ts'
import type { FollowedAttempt } from '../../../core/views/live/live-attempt.ts'
import { evolvePace, newPace, type Pace } from '../../../core/views/live/pace.ts'
import type { RecordedEvent, Store } from '../../../ports/store.ts'

/** A run and its live attempts, folded from their ledgers and caught up on request. */
export class FollowedRun {
  readonly id: RunId
  readonly run: RunState = newRun()
  readonly pace: Pace = newPace()
  /** Number of the run's own events folded so far. */
  seq = 0
  readonly #attempts = new Map<AttemptId, Followed>()
  readonly #store: Store
  readonly #announce: (event: RecordedEvent) => void

  constructor(store: Store, id: RunId, announce: (event: RecordedEvent) => void) {
    this.#store = store
    this.id = id
    this.#announce = announce
  }

  get attempts(): ReadonlyMap<AttemptId, FollowedAttempt> {
    return this.#attempts
  }

  /** Folds the events recorded since the last call. */
  async catchUp(): Promise<void> {
    for await (const chunk of this.#store.read(runLedger(this.id), this.seq)) {
      for (const recorded of chunk) this.#takeRun(recorded)
    }
    for (const id of this.#attempts.keys()) if (!this.run.attempts.has(id)) this.#attempts.delete(id)
    for (const id of this.run.attempts.keys()) await this.#followAttempt(id)
  }

  #takeRun(recorded: RecordedEvent): void {
    const event = recorded.event as RunEvent
    evolveRun(this.run, event, recorded.at)
    evolvePace(this.pace, event, recorded.at, this.run)
    this.seq = recorded.seq
    this.#announce(recorded)
  }

  async #followAttempt(id: AttemptId): Promise<void> {
    const followed = this.#attempts.get(id) ?? { state: newAttempt(), since: 0, seq: 0 }
    this.#attempts.set(id, followed)
    for await (const chunk of this.#store.read(attemptLedger(id), followed.seq)) {
      for (const recorded of chunk) {
        const before = followed.state.doing
        evolveAttempt(followed.state, recorded.event as AttemptEvent, recorded.at)
        if (followed.state.doing !== before) followed.since = recorded.at
        followed.seq = recorded.seq
        this.#announce(recorded)
      }
    }
  }
}

interface Followed extends FollowedAttempt {
  since: number
  seq: number
}
