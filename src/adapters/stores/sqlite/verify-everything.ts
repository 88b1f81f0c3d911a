import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { LedgerId } from '../../../core/model/ids.ts'
import { carriedProblem } from '../../../core/model/problem.ts'
import type { StoreExamined } from '../../../ports/store.ts'
import { blobSum, EMPTY_SUM } from '../checksum.ts'
import { LedgerChain, type LedgerPlace, type StoredRow } from '../ledger-chain.ts'
import { withFile } from '../trouble.ts'
import { queryOnce } from './query-once.ts'
import {
  isReceiptSound,
  isRequestSound,
  isRunSound,
  type ReceiptRow,
  type StoredRequest,
  type StoredRun,
} from './verified-rows.ts'

const CHUNK_ROWS = 250
const NO_MATCH = 'does not match its checksum'

/** Compares every row of a database with its checksum, and the file with SQLite's own rules. */
export async function verifyEverything(db: DatabaseSyncInstance, file: string): Promise<StoreExamined> {
  const damage: string[] = []
  const addIf = (isDamaged: boolean, what: string) => void (isDamaged && damage.push(`${what} ${NO_MATCH}`))
  const each: Each = (table, check) => eachRow({ db, file, table, damage }, check)

  damage.push(...(await withFile(file, () => integrityFaults(db))))
  const ledgers = await verifyLedgers(each, damage)
  const blobs = await each<{ digest: string; sum: number; body: Uint8Array }>('blobs', ({ digest, sum, body }) =>
    addIf(blobSum(digest, body) !== sum, `text ${digest}`),
  )
  const receipts = await each<ReceiptRow>('receipts', (row) =>
    addIf(!isReceiptSound(row), `a receipt of "${row.command}" on tree ${row.tree}`),
  )
  const requests = await each<StoredRequest>('requests', (row) => addIf(!isRequestSound(row), `request ${row.id}`))
  const runs = await each<StoredRun>('runs', (row) => addIf(!isRunSound(row), `the summary of run ${row.run}`))
  return { counts: { ...ledgers, blobs, receipts, requests, runs }, damage }
}

type Each = <Row>(table: Table, check: (row: Row) => void) => Promise<number>

async function verifyLedgers(
  each: Each,
  damage: string[],
): Promise<{ readonly ledgers: number; readonly events: number }> {
  const chains = new Map<LedgerId, LedgerChain>()
  const chainOf = (ledger: LedgerId) => {
    const chain = chains.get(ledger) ?? new LedgerChain(ledger, { seq: 0, sum: EMPTY_SUM })
    chains.set(ledger, chain)
    return chain
  }
  // Ends are read first: an engine may append while the events are read.
  const ends = new Map<LedgerId, LedgerPlace>()
  const ledgers = await each<LedgerPlace & { name: LedgerId }>('ledgers', ({ name, seq, sum }) => {
    if (seq > 0 || sum !== EMPTY_SUM) ends.set(name, { seq, sum })
  })
  let last = 0
  const events = await each<StoredRow>('events', (row) => {
    if (row.position !== last + 1) damage.push(`the event at position ${last + 1} is missing`)
    last = row.position
    const mismatch = chainOf(row.ledger).next(row)
    if (mismatch !== null) damage.push(mismatch)
    const end = ends.get(row.ledger)
    if (end?.seq === row.seq && end.sum === row.sum) ends.delete(row.ledger)
  })
  for (const [ledger, { seq }] of ends) damage.push(`the recorded end of ${ledger} (event ${seq}) matches no event`)
  return { ledgers, events }
}

function integrityFaults(db: DatabaseSyncInstance): readonly string[] {
  const faults = queryOnce(db, 'SELECT integrity_check AS value FROM pragma_integrity_check')
  return faults.map(String).filter((fault) => fault !== 'ok')
}

type Table = 'ledgers' | 'events' | 'blobs' | 'receipts' | 'requests' | 'runs'

interface Reading {
  readonly db: DatabaseSyncInstance
  readonly file: string
  readonly table: Table
  readonly damage: string[]
}

/** Calls back with every row of a table, in chunks; returns their number. */
async function eachRow<Row>({ db, file, table, damage }: Reading, check: (row: Row) => void): Promise<number> {
  const statement = db.prepare(`SELECT rowid AS place, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`)
  let count = 0
  try {
    for (let last = 0; ; ) {
      const rows = (await withFile(file, () => statement.all(last, CHUNK_ROWS))) as (Row & { place: number })[]
      for (const row of rows) check(row)
      count += rows.length
      if (rows.length < CHUNK_ROWS) return count
      last = rows.at(-1)?.place ?? last
    }
  } catch (error) {
    if (carriedProblem(error)?.code !== 'state-damaged') throw error
    damage.push(`the table of ${table} cannot be read beyond row ${count}`)
    return count
  }
}
