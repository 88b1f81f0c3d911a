import { eventLine } from '../../../core/views/event-line.ts'
import type { RecordedEvent } from '../../../ports/store.ts'
import { timeOf, timeTeller } from '../tell-time.ts'
import type { Recent } from './frame.ts'

/** The latest facts, in the order in which they happened. */
export class RecentFacts {
  #kept: RecordedEvent[] = []

  take(event: RecordedEvent): void {
    this.#kept.push(event)
    if (this.#kept.length > 2 * KEPT) this.#kept = this.#kept.slice(-KEPT)
  }

  /** The last few that are shown where a run goes by. */
  shown(): readonly Recent[] {
    const inOrder = this.#kept.toSorted((a, b) => a.position - b.position).slice(-KEPT)
    return inOrder.flatMap(({ ledger, event, at }) => {
      const { isDetail, ...line } = eventLine(ledger, event, timeTeller(at))
      return isDetail ? [] : [{ ...line, time: timeOf(at) }]
    })
  }
}

const KEPT = 60
