import { eventLine } from '../../../core/views/event-line.ts'
import type { RecordedEvent } from '../../../ports/store.ts'
import { timeFormatter, timeOf } from '../render/times.ts'
import type { Recent } from './frame.ts'

/** Keeps the latest events, in order. */
export class RecentFacts {
  #kept: RecordedEvent[] = []

  take(event: RecordedEvent): void {
    // Model usage is a detail, and by far the most frequent event.
    if (event.event.kind === 'usage-observed') return
    this.#kept.push(event)
    if (this.#kept.length > 2 * KEPT) this.#kept = this.#kept.slice(-KEPT)
  }

  /** Returns the last few events worth showing. */
  shown(): readonly Recent[] {
    this.#kept.sort((a, b) => a.position - b.position)
    const shown: Recent[] = []
    for (const { ledger, event, at } of this.#kept.toReversed()) {
      const { shownIn, ...line } = eventLine(ledger, event, timeFormatter(at))
      if (shownIn === 'run') shown.unshift({ ...line, time: timeOf(at) })
      if (shown.length === SHOWN_MAX) break
    }
    return shown
  }
}

const SHOWN_MAX = 3
/** Events kept; many details come between those that are shown. */
const KEPT = 200
