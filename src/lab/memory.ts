import type { Reset } from '../core/reading/reset-time.ts'
import type { Conversation } from './conversation.ts'
import type { Fault } from './scenario.ts'

/** What the lab has to remember, because no request tells it. */
export class Memory {
  readonly #sessions = new Map<string, string[]>()
  readonly #struck = new Map<string, number>()
  readonly #resets = new Map<string, number>()
  readonly #requests = new Map<string, number>()

  /** Counts a request of a run. */
  count(run: string): number {
    const count = (this.#requests.get(run) ?? 0) + 1
    this.#requests.set(run, count)
    return count
  }

  /** The session's number among those of its task and attempt, in the order in which they first asked. */
  sessionNumber(run: string, { task, attempt }: Conversation, session: string): number {
    const key = JSON.stringify([run, task, attempt])
    const known = this.#sessions.get(key) ?? []
    if (!known.includes(session)) this.#sessions.set(key, [...known, session])
    return (this.#sessions.get(key) ?? []).indexOf(session) + 1
  }

  /** Whether a fault strikes now; counted when it does. */
  strikes({ what, times }: Fault, place: string, now: number): boolean {
    if (what.kind === 'limit') return this.resetAt(what.reset, place, now) > now
    const before = this.#struck.get(place) ?? 0
    this.#struck.set(place, before + 1)
    return times === null || before < times
  }

  /** When a limit is over: so long after it was first met, or at its moment. */
  resetAt(reset: Reset, place: string, now: number): number {
    if (reset.kind === 'at') return reset.at
    const resetAt = this.#resets.get(place) ?? now + reset.ms
    this.#resets.set(place, resetAt)
    return resetAt
  }
}
