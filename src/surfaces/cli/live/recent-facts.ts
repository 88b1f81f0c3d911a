import { eventLine } from '../../../core/views/event-line.ts'
import type { RecordedEvent } from '../../../ports/store.ts'
import { timeFormatter, timeOf } from '../render/times.ts'
import type { Recent } from './frame.ts'

/** The latest facts, in the order in which they happened. */
export class RecentFacts {
  #kept: RecordedEvent[] = []

  take(event: RecordedEvent): void {
    // A usage of a model is a detail, and by far the most frequent fact.
    if (event.event.kind === 'usage-observed') return
    this.#kept.push(event)
    if (this.#kept.length > 2 * KEPT) this.#kept = this.#kept.slice(-KEPT)
  }

  /** The last few of those that are shown where a run goes by. */
  shown(): readonly Recent[] {
    this.#kept.sort((a, b) => a.position - b.position)
    const shown: Recent[] = []
    for (const { ledger, event, at } of this.#kept.toReversed()) {
      const { isDetail, ...line } = eventLine(ledger, event, timeFormatter(at))
      if (!isDetail) shown.unshift({ ...line, time: timeOf(at) })
      if (shown.length === SHOWN_MAX) break
    }
    return shown
  }
}

const SHOWN_MAX = 3
/** Details come in great numbers between the facts that are shown. */
const KEPT = 200
