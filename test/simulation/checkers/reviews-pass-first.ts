import type { AttemptSpec } from '../../../src/core/model/attempt.ts'
import type { AttemptEvent } from '../../../src/core/model/attempt-event.ts'
import { reviewFindings } from '../../../src/core/phases/review-findings.ts'
import { attemptEvents, type Checker } from './checker.ts'

/** Work leaves a review only when the review passes it or a person approves it; an unreadable review is no pass. */
export const reviewsPassFirst: Checker = (playthrough) => {
  const reviews = new Map<string, ReviewWatch>()
  return attemptEvents(playthrough).flatMap(({ ledger, event }) => {
    if (event.kind === 'attempt-opened') reviews.set(ledger, new ReviewWatch(event.spec))
    return reviews.get(ledger)?.accepts(event) === false ? [`${ledger}: ${event.kind} without a passed review`] : []
  })
}

class ReviewWatch {
  readonly #reviews: ReadonlySet<string>
  #phase = ''
  #mayLeave = false

  constructor({ workflow }: AttemptSpec) {
    this.#reviews = new Set(workflow.phases.filter(({ role }) => role === 'reviewer').map(({ name }) => name))
  }

  /** Records an event; returns false when it may not happen now. */
  accepts(event: AttemptEvent): boolean {
    const leavesReview = event.kind === 'phase-entered' || event.kind === 'ready-to-land'
    const isAllowed = !leavesReview || !this.#reviews.has(this.#phase) || this.#mayLeave
    this.#note(event)
    return isAllowed
  }

  #note(event: AttemptEvent): void {
    if (event.kind === 'phase-entered') this.#phase = event.phase
    if (event.kind === 'work-returned') this.#phase = event.to
    if (event.kind === 'phase-entered' || event.kind === 'work-returned' || event.kind === 'round-started') {
      this.#mayLeave = false
    }
    if (event.kind === 'ready-to-land') this.#phase = ''
    if (event.kind === 'message-received' && event.message.kind === 'answer') {
      this.#mayLeave = event.message.answer.kind === 'approved'
    }
    if (event.kind === 'work-reported' && event.report.kind === 'review') {
      const { review } = event.report
      this.#mayLeave = review.decision?.kind === 'pass' && reviewFindings(review).length === 0
    }
  }
}
