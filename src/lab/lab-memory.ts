import type { Reset } from '../core/limits/reset-time.ts'
import type { LabConversation } from './conversation.ts'
import type { HistoryEntry, ModelRequest } from './dialect.ts'
import type { ScenarioFault } from './scenario.ts'

/** State of the lab that requests do not contain. */
export class LabMemory {
  readonly #sessions = new Map<string, string[]>()
  readonly #histories = new Map<string, readonly HistoryEntry[]>()
  readonly #summarized = new Map<string, readonly HistoryEntry[]>()
  readonly #compactions = new Map<string, number>()
  readonly #faultCounts = new Map<string, number>()
  readonly #resets = new Map<string, number>()
  readonly #requests = new Map<string, number>()

  /** Counts a request, and returns the number of requests of the run. */
  countRequest(run: string): number {
    const count = (this.#requests.get(run) ?? 0) + 1
    this.#requests.set(run, count)
    return count
  }

  /** Returns the number of a session among those of its task, attempt and phase, in order of their first request. */
  sessionNumber(run: string, { task, attempt, phase }: LabConversation, session: string): number {
    const key = JSON.stringify([run, task, attempt, phase])
    const known = this.#sessions.get(key) ?? []
    if (!known.includes(session)) this.#sessions.set(key, [...known, session])
    return (this.#sessions.get(key) ?? []).indexOf(session) + 1
  }

  /** Returns the whole history of a conversation, including what a compaction replaced by a summary. */
  wholeHistory(run: string, { session, subagent, history, from }: ModelRequest): readonly HistoryEntry[] {
    const key = JSON.stringify([run, session, subagent])
    const at = history.findLastIndex(({ kind }) => kind === 'compacted')
    const whole = at < 0 ? history : [...this.#beforeSummary(key, history.slice(at)), ...history.slice(at + 1)]
    const kept = withoutRepeats(whole)
    // The prompt for a compaction never becomes part of the conversation.
    const next = from === 'side' ? kept.slice(0, -1) : kept
    const isLonger = next.length > (this.#histories.get(key)?.length ?? 0)
    if (from === 'side' && isLonger) this.#compactions.set(key, (this.#compactions.get(key) ?? 0) + 1)
    if (from !== 'side' || isLonger) this.#histories.set(key, next)
    return kept
  }

  #beforeSummary(key: string, [summary, ...later]: readonly HistoryEntry[]): readonly HistoryEntry[] {
    // Two summaries of a conversation may be identical; the entries after them differ.
    const next = later.find(({ kind }) => kind === 'tool-call') ?? this.#compactions.get(key) ?? 0
    const place = JSON.stringify([key, summary, next])
    const before = this.#summarized.get(place) ?? this.#histories.get(key) ?? []
    this.#summarized.set(place, before)
    return before
  }

  /** Counts a use of a fault; true when the fault still applies. */
  faultApplies({ fault, times }: ScenarioFault, place: string, now: number): boolean {
    if (fault.kind === 'limit') return this.resetAt(fault.reset, place, now) > now
    const before = this.#faultCounts.get(place) ?? 0
    this.#faultCounts.set(place, before + 1)
    return times === null || before < times
  }

  /** Returns the end of a limit: a fixed time, or a delay after the first request that met it. */
  resetAt(reset: Reset, place: string, now: number): number {
    if (reset.kind === 'at') return reset.at
    const resetAt = this.#resets.get(place) ?? now + reset.ms
    this.#resets.set(place, resetAt)
    return resetAt
  }
}

// The last messages before a compaction are repeated after its summary.
function withoutRepeats(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const seen = new Set<string>()
  return history.filter((entry) => {
    if (entry.kind !== 'tool-call' && entry.kind !== 'tool-result') return true
    const key = `${entry.kind} ${entry.id}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}
