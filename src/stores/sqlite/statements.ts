import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { LedgerId } from '../../core/model/ids.ts'

/** A database with its statements, prepared once. */
export type Statements = ReturnType<typeof prepareStatements>

/** A row of the events table. */
export type EventColumns = readonly [
  seq: number,
  position: number,
  at: number,
  version: number,
  body: { readonly kind: string },
  /** Not there where the ledger was asked for. */
  ledger?: LedgerId,
]

/** What a reading statement gives: the text of a chunk's rows. */
export function rowsIn(answer: readonly [string] | undefined): readonly EventColumns[] {
  return JSON.parse(answer?.[0] ?? '[]')
}

const STANDING =
  'SELECT epoch, (SELECT coalesce(max(seq), 0) FROM events WHERE ledger = name) FROM ledgers WHERE name = ?'

/** Prepares every statement the store uses. */
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

// A chunk comes as one JSON text: handing over and parsing it row by row takes half as long again.
function prepareReads(db: DatabaseSyncInstance) {
  const row = `'[' || seq || ',' || position || ',' || at || ',' || version || ',' || body`
  const prepare = (where: string, more: string) =>
    db.prepare(
      `SELECT '[' || coalesce(group_concat(${row} || ${more}), '') || ']' FROM (SELECT * FROM events WHERE ${where} LIMIT ?)`,
      { returnArrays: true },
    )
  const ofOne = (where: string) => prepare(where, `']'`)
  const ofMany = (where: string) => prepare(where, `',' || json_quote(ledger) || ']'`)
  return {
    ofLedger: ofOne('ledger = ? AND seq > ? ORDER BY seq'),
    ofLedgerWithout: ofOne(
      `ledger = ? AND seq > ? AND body ->> '$.kind' NOT IN (SELECT value FROM json_each(?)) ORDER BY seq`,
    ),
    all: ofMany('position > ? ORDER BY position'),
    // The plus keeps SQLite on the order of positions instead of sorting whole ledgers for each chunk.
    ofSome: ofMany('position > ? AND +ledger IN (SELECT value FROM json_each(?)) ORDER BY position'),
  }
}
