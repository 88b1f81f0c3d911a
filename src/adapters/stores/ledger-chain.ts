import type { LedgerId } from '../../core/model/ids.ts'
import { nextSum, type StoredText } from './checksum.ts'

/** Place in a ledger, with the checksum of everything up to there. */
export interface LedgerPlace {
  readonly seq: number
  readonly sum: number
}

/** Event with its checksum, as stored. */
export interface StoredRow extends StoredText, LedgerPlace {}

/** Verifies the events of one ledger in order; each method returns what is wrong, or null. */
export class LedgerChain {
  readonly #ledger: LedgerId
  #place: LedgerPlace

  constructor(ledger: LedgerId, after: LedgerPlace) {
    this.#ledger = ledger
    this.#place = after
  }

  /** Verifies the next event; the one after it is verified against this one as stored. */
  next(row: StoredRow): string | null {
    const { seq, sum } = this.#place
    this.#place = row
    if (row.ledger !== this.#ledger || row.seq !== seq + 1) return `event ${seq + 1} of ${this.#ledger} is missing`
    return nextSum(sum, row) === row.sum ? null : `${nameOf(row)} does not match its checksum`
  }

  /** Compares the last event with the end that the ledger's writer recorded. */
  end(recorded: LedgerPlace | null): string | null {
    const { seq, sum } = this.#place
    if (recorded === null) return seq === 0 ? null : `${this.#ledger} is missing in the list of ledgers`
    if (recorded.seq > seq) return `events ${seq + 1} to ${recorded.seq} of ${this.#ledger} are missing`
    const isSame = recorded.seq === seq && recorded.sum === sum
    return isSame ? null : `the recorded end of ${this.#ledger} does not match its event ${seq}`
  }
}

function nameOf({ ledger, seq, body }: StoredRow): string {
  const [, kind] = /"kind":"([a-z-]{1,40})"/.exec(body) ?? []
  return `event ${seq} of ${ledger}${kind === undefined ? '' : ` ("${kind}")`}`
}
