import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { LedgerId } from '../../../core/model/ids.ts'

/** Statements of an open database, prepared once. */
export type Statements = ReturnType<typeof prepareStatements>

/** Row of the events table. */
export interface EventRow {
  readonly seq: number
  readonly position: number
  readonly at: number
  readonly version: number
  readonly body: { readonly kind: string }
  readonly ledger: LedgerId
}

/** Result of a reading statement: one JSON list without brackets per column. */
export type ReadAnswer = readonly [bodies: string, figures: string, ledgers: string] | undefined

/** Parses the rows of a chunk; a query of one ledger does not repeat its name. */
export function rowsIn(answer: ReadAnswer, asked?: LedgerId): readonly EventRow[] {
  const [bodies, figures, ledgers] = (answer ?? ['', '', '']).map((list) => JSON.parse(`[${list}]`)) as [
    readonly EventRow['body'][],
    readonly number[],
    readonly LedgerId[],
  ]
  const figure = (index: number, at: number) => figures[index * FIGURES + at] ?? 0
  return bodies.map((body, index) => ({
    seq: figure(index, 0),
    position: figure(index, 1),
    at: figure(index, 2),
    version: figure(index, 3),
    body,
    ledger: asked ?? (ledgers[index] as LedgerId),
  }))
}

const FIGURES = 4

const STANDING =
  'SELECT epoch, (SELECT coalesce(max(seq), 0) FROM events WHERE ledger = name) FROM ledgers WHERE name = ?'

/** Prepares every statement of the store. */
export function prepareStatements(db: DatabaseSyncInstance) {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    rollback: db.prepare('ROLLBACK'),
    dataVersion: db.prepare('PRAGMA data_version'),

    claim: db.prepare(`INSERT INTO ledgers (name, epoch) VALUES (?, 1)
      ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1`),
    standing: db.prepare(STANDING, { returnArrays: true }),
    ledgers: db.prepare('SELECT name FROM ledgers WHERE substr(name, 1, length(?1)) = ?1 ORDER BY rowid'),

    addEvent: db.prepare('INSERT INTO events (ledger, seq, at, version, body) VALUES (?, ?, ?, ?, ?)'),
    addBlob: db.prepare('INSERT INTO blobs (digest, body) VALUES (?, ?) ON CONFLICT DO NOTHING'),
    blob: db.prepare('SELECT body FROM blobs WHERE digest = ?'),
    addReceipt: db.prepare('INSERT INTO receipts (tree, command, environment, at, body) VALUES (?, ?, ?, ?, ?)'),
    receipts: db.prepare(
      'SELECT at, body FROM receipts WHERE tree = ? AND command = ? AND environment = ? ORDER BY position DESC LIMIT ?',
    ),
    putRun: db.prepare(`INSERT INTO runs (run, body) VALUES (?, ?)
      ON CONFLICT (run) DO UPDATE SET body = excluded.body`),
    runs: db.prepare('SELECT run, body FROM runs ORDER BY rowid'),

    ask: db.prepare('INSERT INTO requests (id, at, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    asked: db.prepare('SELECT id, at, body FROM requests WHERE answer IS NULL ORDER BY position'),
    putAnswer: db.prepare(`INSERT INTO requests (id, at, body, answer) VALUES (?, ?, 'null', ?)
      ON CONFLICT (id) DO UPDATE SET answer = excluded.answer WHERE answer IS NULL`),
    answer: db.prepare('SELECT answer FROM requests WHERE id = ?'),

    ...prepareReads(db),
  }
}

// A chunk is returned as a few long texts: row by row takes half as long again.
function prepareReads(db: DatabaseSyncInstance) {
  const prepare = (where: string, ledgers: string) =>
    db.prepare(
      `SELECT coalesce(group_concat(body), ''),
        coalesce(group_concat(seq || ',' || position || ',' || at || ',' || version), ''), ${ledgers}
        FROM (SELECT * FROM events WHERE ${where} LIMIT ?)`,
      { returnArrays: true },
    )
  const ofOne = (where: string) => prepare(where, `''`)
  const ofMany = (where: string) => prepare(where, `coalesce(group_concat(json_quote(ledger)), '')`)
  return {
    ofLedger: ofOne('ledger = ? AND seq > ? ORDER BY seq'),
    ofLedgerWithout: ofOne(
      `ledger = ? AND seq > ? AND body ->> '$.kind' NOT IN (SELECT value FROM json_each(?)) ORDER BY seq`,
    ),
    all: ofMany('position > ? ORDER BY position'),
    // The plus makes SQLite scan by position instead of sorting whole ledgers for each chunk.
    ofSome: ofMany('position > ? AND +ledger IN (SELECT value FROM json_each(?)) ORDER BY position'),
  }
}
