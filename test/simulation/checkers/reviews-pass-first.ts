import type { AttemptSpec } from '../../../src/core/model/attempt.ts'
import type { AttemptEvent } from '../../../src/core/model/attempt-event.ts'
import { reviewFindings } from '../../../src/core/phases/review-findings.ts'
import { attemptEvents, type Checker } from './checker.ts'

/** Work leaves a review only when its last word lets it pass, or a person does; what nobody can read is no pass. */
export const reviewsPassFirst: Checker = (played) => {
  const reviews = new Map<string, ReviewWatch>()
  return attemptEvents(played).flatMap(({ ledger, event }) => {
    if (event.kind === 'attempt-opened') reviews.set(ledger, new ReviewWatch(event.spec))
    return reviews.get(ledger)?.sees(event) === false ? [`${ledger}: left its review unpassed by ${event.kind}`] : []
  })
}

class ReviewWatch {
  readonly #reviews: ReadonlySet<string>
  #phase = ''
  #mayLeave = false

  constructor({ workflow }: AttemptSpec) {
    this.#reviews = new Set(workflow.phases.filter(({ role }) => role === 'reviewer').map(({ name }) => name))
  }

  /** Whether this may happen now. */
  sees(event: AttemptEvent): boolean {
    const isOnward = event.kind === 'phase-entered' || event.kind === 'ready-to-land'
    const isRight = !isOnward || !this.#reviews.has(this.#phase) || this.#mayLeave
    this.#note(event)
    return isRight
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
