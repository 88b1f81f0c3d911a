import type { AttemptEvent } from '../../src/core/model/attempt-event.ts'
import { type AttemptId, attemptLedger, type LedgerId, type RunId, runLedger } from '../../src/core/model/ids.ts'
import type { RunEvent } from '../../src/core/model/run-event.ts'

/** Fact of any ledger. */
export interface Fact {
  readonly ledger: LedgerId
  readonly at: number
  readonly event: { readonly kind: string }
}

/** Collects facts in order, one second apart by default. */
export class FactWriter {
  readonly facts: Fact[] = []
  readonly #run: LedgerId
  #at: number

  constructor(run: string, startsAt: number) {
    this.#run = runLedger(run as RunId)
    this.#at = startsAt
  }

  run(...events: readonly RunEvent[]): this {
    for (const event of events) this.#write(this.#run, event)
    return this
  }

  attempt(attempt: string, ...events: readonly AttemptEvent[]): this {
    for (const event of events) this.#write(attemptLedger(attempt as AttemptId), event)
    return this
  }

  later(seconds: number): this {
    this.#at += seconds * 1000
    return this
  }

  #write(ledger: LedgerId, event: { readonly kind: string }): void {
    this.#at += 1000
    this.facts.push({ ledger, at: this.#at, event })
  }
}
