import type { Reset } from '../core/limits/reset-time.ts'
import type { LabConversation } from './conversation.ts'
import type { Ask, Entry } from './dialect.ts'
import type { ScenarioFault } from './scenario.ts'

/** What the lab has to remember, because no request tells it. */
export class LabMemory {
  readonly #sessions = new Map<string, string[]>()
  readonly #histories = new Map<string, readonly Entry[]>()
  readonly #summarized = new Map<string, readonly Entry[]>()
  readonly #compactions = new Map<string, number>()
  readonly #struck = new Map<string, number>()
  readonly #resets = new Map<string, number>()
  readonly #requests = new Map<string, number>()

  /** Counts a request of a run. */
  count(run: string): number {
    const count = (this.#requests.get(run) ?? 0) + 1
    this.#requests.set(run, count)
    return count
  }

  /** The session's number among those of its task, attempt and phase, in the order in which they first asked. */
  sessionNumber(run: string, { task, attempt, phase }: LabConversation, session: string): number {
    const key = JSON.stringify([run, task, attempt, phase])
    const known = this.#sessions.get(key) ?? []
    if (!known.includes(session)) this.#sessions.set(key, [...known, session])
    return (this.#sessions.get(key) ?? []).indexOf(session) + 1
  }

  /** What a conversation has been from its beginning, also when a compaction has put a summary in its place. */
  wholeHistory(run: string, { session, subagent, history, from }: Ask): readonly Entry[] {
    const key = JSON.stringify([run, session, subagent])
    const at = history.findLastIndex(({ kind }) => kind === 'compacted')
    const whole = at < 0 ? history : [...this.#beforeSummary(key, history.slice(at)), ...history.slice(at + 1)]
    const kept = withoutRepeats(whole)
    // A compaction is asked for with a prompt of its own, which never becomes part of the conversation.
    const next = from === 'side' ? kept.slice(0, -1) : kept
    const isLonger = next.length > (this.#histories.get(key)?.length ?? 0)
    if (from === 'side' && isLonger) this.#compactions.set(key, (this.#compactions.get(key) ?? 0) + 1)
    if (from !== 'side' || isLonger) this.#histories.set(key, next)
    return kept
  }

  #beforeSummary(key: string, [summary, ...later]: readonly Entry[]): readonly Entry[] {
    // Two summaries of one conversation may be the same, word for word; what follows them is not.
    const next = later.find(({ kind }) => kind === 'called') ?? this.#compactions.get(key) ?? 0
    const place = JSON.stringify([key, summary, next])
    const before = this.#summarized.get(place) ?? this.#histories.get(key) ?? []
    this.#summarized.set(place, before)
    return before
  }

  /** Whether a fault strikes now; counted when it does. */
  strikes({ what, times }: ScenarioFault, place: string, now: number): boolean {
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

/** The last messages before a compaction come again after its summary. */
function withoutRepeats(history: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>()
  return history.filter((entry) => {
    if (entry.kind !== 'called' && entry.kind !== 'returned') return true
    const key = `${entry.kind} ${entry.id}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}
