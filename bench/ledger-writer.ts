import { type AttemptId, attemptLedger, type LedgerId, runLedger } from '../src/core/model/ids.ts'
import type { RunState } from '../src/core/run/state.ts'
import { runSummary } from '../src/core/views/run-summary.ts'
import type { Store } from '../src/ports/store.ts'
import type { AttemptFact } from './synthetic-attempt.ts'
import { type Listener, SYNTHETIC_RUN } from './synthetic-run.ts'

interface Batch {
  readonly ledger: LedgerId
  readonly at: number
  readonly events: { readonly kind: string }[]
}

/** Collects the facts of a synthetic run and writes them into a store in an engine's order. */
export class LedgerWriter implements Listener {
  readonly #batches: Batch[] = []
  readonly #counts = { run: 0, attempts: 0 }

  stepped(_: number, events: readonly { readonly kind: string }[], __: RunState, at: number): void {
    this.#counts.run += events.length
    this.#add(runLedger(SYNTHETIC_RUN), events, at)
  }

  attemptAppended(attempt: AttemptId, facts: readonly AttemptFact[], at: number): void {
    this.#counts.attempts += facts.length
    this.#add(
      attemptLedger(attempt),
      facts.map(({ event }) => event),
      at,
    )
  }

  // Consecutive facts of one ledger go into one append: the file is the same, and written faster.
  #add(ledger: LedgerId, events: readonly { readonly kind: string }[], at: number): void {
    const last = this.#batches.at(-1)
    if (last?.ledger === ledger) last.events.push(...events)
    else if (events.length > 0) this.#batches.push({ ledger, at, events: [...events] })
  }

  get counts(): { readonly run: number; readonly attempts: number } {
    return this.#counts
  }

  async write(store: Store, state: RunState): Promise<void> {
    const standings = new Map<LedgerId, { readonly epoch: number; seq: number }>()
    const summary = { run: SYNTHETIC_RUN, row: runSummary(state) }
    for (const { ledger, at, events } of this.#batches) {
      const standing = standings.get(ledger) ?? { epoch: (await store.claim(ledger)).epoch, seq: 0 }
      standings.set(ledger, standing)
      const batch = { ledger, epoch: standing.epoch, after: standing.seq, at, events }
      const result = await store.append(ledger === runLedger(SYNTHETIC_RUN) ? { ...batch, summary } : batch)
      if (result.kind === 'conflict') throw new Error(result.reason)
      standing.seq = result.seq
    }
  }
}
