import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** Statements of an open database, prepared once. */
export type Statements = ReturnType<typeof prepareStatements>

/** Prepares every statement of the store. */
export function prepareStatements(db: DatabaseSyncInstance) {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    beginRead: db.prepare('BEGIN'),
    commit: db.prepare('COMMIT'),
    rollback: db.prepare('ROLLBACK'),
    dataVersion: db.prepare('PRAGMA data_version'),

    claim: db.prepare(`INSERT INTO ledgers (name, epoch, seq, sum) VALUES (?, 1, 0, 0)
      ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1`),
    standing: db.prepare('SELECT epoch, seq, sum FROM ledgers WHERE name = ?'),
    moveEnd: db.prepare('UPDATE ledgers SET seq = ?, sum = ? WHERE name = ? AND epoch = ? AND seq = ? AND sum = ?'),
    ledgers: db.prepare('SELECT name FROM ledgers WHERE substr(name, 1, length(?1)) = ?1 ORDER BY rowid'),

    addEvent: db.prepare(
      'INSERT INTO events (position, ledger, seq, at, version, sum, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    lastPosition: db.prepare('SELECT coalesce(max(position), 0) AS position FROM events'),
    addBlob: db.prepare('INSERT INTO blobs (digest, sum, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    blob: db.prepare('SELECT sum, body FROM blobs WHERE digest = ?'),
    addReceipt: db.prepare(
      'INSERT INTO receipts (tree, command, environment, at, sum, body) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    receipts: db.prepare(
      'SELECT * FROM receipts WHERE tree = ? AND command = ? AND environment = ? ORDER BY position DESC LIMIT ?',
    ),
    putRun: db.prepare(`INSERT INTO runs (run, sum, body) VALUES (?, ?, ?)
      ON CONFLICT (run) DO UPDATE SET sum = excluded.sum, body = excluded.body`),
    runs: db.prepare('SELECT run, sum, body FROM runs ORDER BY rowid'),

    ask: db.prepare('INSERT INTO requests (id, at, sum, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'),
    asked: db.prepare('SELECT * FROM requests WHERE answer IS NULL ORDER BY position'),
    putAnswer: db.prepare(`INSERT INTO requests (id, at, sum, body, answer_sum, answer) VALUES (?, ?, ?, 'null', ?, ?)
      ON CONFLICT (id) DO UPDATE SET answer_sum = excluded.answer_sum, answer = excluded.answer WHERE answer IS NULL`),
    request: db.prepare('SELECT * FROM requests WHERE id = ?'),

    ...prepareReads(db),
  }
}

/** Columns of an event in the order in which reading statements return them; a query of one ledger does not repeat its name. */
export type EventColumns = [
  ledger: string | null,
  seq: number,
  position: number,
  at: number,
  version: number,
  sum: number,
  body: string,
]

// Arrays are read faster than objects.
function prepareReads(db: DatabaseSyncInstance) {
  const prepare = (where: string, ledger = 'ledger') =>
    db.prepare(`SELECT ${ledger}, seq, position, at, version, sum, body FROM events WHERE ${where} LIMIT ?`, {
      returnArrays: true,
    })
  return {
    ofLedger: prepare('ledger = ? AND seq > ? ORDER BY seq', 'NULL'),
    all: prepare('position > ? ORDER BY position'),
    // The plus makes SQLite scan by position instead of sorting whole ledgers for each chunk.
    ofSome: prepare('position > ? AND +ledger IN (SELECT value FROM json_each(?)) ORDER BY position'),
    sumAt: db.prepare('SELECT sum FROM events WHERE ledger = ? AND seq = ?'),
    ends: db.prepare('SELECT name, seq, sum FROM ledgers'),
  }
}
