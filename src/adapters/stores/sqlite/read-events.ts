import type { LedgerId } from '../../../core/model/ids.ts'
import type { KindFilter, LogFilter, RecordedEvent } from '../../../ports/store.ts'
import { EMPTY_SUM } from '../checksum.ts'
import { LedgerChain, type LedgerPlace, type StoredRow } from '../ledger-chain.ts'
import { factDamaged } from '../trouble.ts'
import { upcast } from '../upcast.ts'
import type { EventColumns, Statements } from './statements.ts'

const CHUNK_EVENTS = 250

/** Operation on the store's statements within one snapshot of the file. */
type Operate = <T>(operate: (statements: Statements) => T) => Promise<T>

/** Events to read: of one ledger by seq, or of several by position. */
interface EventRange {
  readonly file: string
  readonly order: 'seq' | 'position'
  /** Ledger of all events, or null when each names its own. */
  readonly ledger: LedgerId | null
  readonly after: number
  readonly rowsAfter: (statements: Statements, last: number, count: number) => readonly unknown[]
  /** Ledgers whose recorded ends are compared, besides those of the events: all, or some. */
  readonly ends: 'all' | readonly LedgerId[]
  /** Kinds of events to verify without returning them. */
  readonly without: readonly string[]
}

/** Reads events in chunks and verifies each; throws a ProblemError at the first that cannot be trusted. */
export async function* readEvents(inSnapshot: Operate, range: EventRange): AsyncGenerator<readonly RecordedEvent[]> {
  const chains = new Map<LedgerId, LedgerChain>()
  // Each chunk is its own query: an open query would keep the write-ahead log from being emptied.
  for (let last = range.after; ; ) {
    const rows = await inSnapshot((statements) => readChunk(statements, range, last, chains))
    const events = recordedIn(rows, range.without)
    if (events.length > 0) yield events
    if (rows.length < CHUNK_EVENTS) return
    last = rows.at(-1)?.[range.order] ?? last
  }
}

/** Range of one ledger's events after a seq. */
export function ledgerRange(file: string, ledger: LedgerId, after: number, filter?: KindFilter): EventRange {
  const rowsAfter: EventRange['rowsAfter'] = (to, last, count) => to.ofLedger.all(ledger, last, count)
  return { file, order: 'seq', ledger, after, rowsAfter, ends: [ledger], without: filter?.without ?? [] }
}

/** Range of the events of all ledgers, or of some, after a position. */
export function storeRange(file: string, after: number, { ledgers }: LogFilter): EventRange {
  const names = JSON.stringify(ledgers)
  const rowsAfter: EventRange['rowsAfter'] = (to, last, count) =>
    ledgers ? to.ofSome.all(last, names, count) : to.all.all(last, count)
  return {
    file,
    order: 'position',
    ledger: null,
    after,
    rowsAfter,
    ends: after > 0 ? [] : (ledgers ?? 'all'),
    without: [],
  }
}

function readChunk(
  statements: Statements,
  range: EventRange,
  last: number,
  chains: Map<LedgerId, LedgerChain>,
): readonly StoredRow[] {
  const orThrow = (damage: string | null) => {
    if (damage !== null) throw factDamaged(range.file, damage)
  }
  const rows = range
    .rowsAfter(statements, last, CHUNK_EVENTS)
    .map((columns) => storedRow(columns as EventColumns, range.ledger))
  const startOf = ({ seq }: StoredRow) => (range.order === 'position' && range.after > 0 ? seq - 1 : range.after)
  for (const row of rows) orThrow(chainOf(statements, chains, row.ledger, startOf(row)).next(row))
  if (rows.length === CHUNK_EVENTS) return rows
  for (const [ledger, end] of endsOf(statements, range, chains)) {
    // An end is compared from the seq that the caller has read up to.
    const after = range.order === 'seq' ? Math.min(range.after, end?.seq ?? 0) : 0
    orThrow(chainOf(statements, chains, ledger, after).end(end))
  }
  return rows
}

function chainOf(
  { sumAt }: Statements,
  chains: Map<LedgerId, LedgerChain>,
  ledger: LedgerId,
  after: number,
): LedgerChain {
  const known = chains.get(ledger)
  if (known !== undefined) return known
  const sum = after === 0 ? EMPTY_SUM : (sumAt.get(ledger, after)?.sum ?? EMPTY_SUM)
  const chain = new LedgerChain(ledger, { seq: after, sum })
  chains.set(ledger, chain)
  return chain
}

function endsOf(
  { ends, standing }: Statements,
  range: EventRange,
  chains: ReadonlyMap<LedgerId, LedgerChain>,
): ReadonlyMap<LedgerId, LedgerPlace | null> {
  const recordedEnds = new Map<LedgerId, LedgerPlace | null>()
  if (range.ends === 'all') for (const { name, seq, sum } of ends.all()) recordedEnds.set(name, { seq, sum })
  for (const ledger of [...chains.keys(), ...(range.ends === 'all' ? [] : range.ends)]) {
    if (!recordedEnds.has(ledger)) recordedEnds.set(ledger, standing.get(ledger) ?? null)
  }
  return recordedEnds
}

function storedRow([own, seq, position, at, version, sum, body]: EventColumns, shared: LedgerId | null): StoredRow {
  return { ledger: shared ?? (own as LedgerId), seq, position, at, version, sum, body }
}

function recordedIn(rows: readonly StoredRow[], without: readonly string[]): readonly RecordedEvent[] {
  const events: RecordedEvent[] = []
  const starts = without.map((kind) => `{"kind":"${kind}"`)
  for (const { ledger, seq, position, at, version, body } of rows) {
    // Most events that are left out begin with their kind, and need not be parsed.
    if (starts.some((start) => body.startsWith(start))) continue
    const event = upcast({ ledger, version, body: JSON.parse(body) })
    if (!without.includes(event.kind)) events.push({ seq, position, at, ledger, event })
  }
  return events
}
