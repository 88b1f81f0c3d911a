import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { RECEIPTS_MAX } from '../../../core/limits/limits.ts'
import type { LedgerId } from '../../../core/model/ids.ts'
import type { Receipt } from '../../../core/model/verdict.ts'
import type { Claimed, PendingRequest, RunRow, Store } from '../../../ports/store.ts'
import { rowSum } from '../checksum.ts'
import type { LedgerPlace } from '../ledger-chain.ts'
import { withFile } from '../trouble.ts'
import { append, inTransaction, type KnownEnds } from './append.ts'
import { ledgerRange, readEvents, storeRange } from './read-events.ts'
import { prepareStatements, type Statements } from './statements.ts'
import { isReceiptSound, verified } from './verified-rows.ts'
import { verifyEverything } from './verify-everything.ts'
import { openWakeFile } from './wake-file.ts'
import { type WatchedFiles, watchFiles, whileSafe } from './watched-files.ts'

/** Implements the store port on an open database; `file` is its name for messages. */
export function sqliteStore(db: DatabaseSyncInstance, file: string): Store {
  let prepared: Statements | null = prepareStatements(db)
  const ends: KnownEnds = new Map()
  let hasAppended = false
  let files: WatchedFiles | null = null

  const statements = () => {
    if (!prepared) throw new Error(`${file} was closed.`)
    return prepared
  }
  const use = <T>(operate: (statements: Statements) => T) => withFile(file, () => operate(statements()))
  const inSnapshot = <T>(operate: (statements: Statements) => T) => use((to) => readTogether(db, to, operate))
  const wakeFile = openWakeFile(file, () => statements().dataVersion.get().data_version)
  const { run, request, blob } = verified(file)

  return {
    claim: (ledger) => use((to) => claim(db, to, ledger, ends)),
    async append(batch) {
      const result = await whileSafe(files, () => use((to) => append(db, to, batch, ends)))
      hasAppended = true
      wakeFile.touchSoon()
      return result
    },
    read: (ledger, after, filter) => readEvents(inSnapshot, ledgerRange(file, ledger, after, filter)),
    readAll: (after, filter) => readEvents(inSnapshot, storeRange(file, after, filter)),
    ledgers: (prefix) => use((to) => to.ledgers.all(prefix).map(({ name }) => name as LedgerId)),
    blob: (digest) => use((to) => blobText(blob(digest, to.blob.get(digest)))),
    receipts: ({ tree, command, environmentDigest }) =>
      use((to) => {
        const rows = to.receipts.all(tree, command, environmentDigest, RECEIPTS_MAX)
        // With one damaged, the newest result is unknown; the check runs again.
        if (!rows.every(isReceiptSound)) return []
        return rows.map(({ at, body }) => ({ at, receipt: JSON.parse(body) as Receipt }))
      }),
    runs: () => use((to) => to.runs.all().map((row): RunRow => ({ run: run(row).run, row: JSON.parse(row.body) }))),
    async addRequest(id, body, at) {
      const text = JSON.stringify(body) ?? 'null'
      await use((to) => to.ask.run(id, at, rowSum(id, at, text), text))
      wakeFile.touch()
    },
    pendingRequests: () =>
      use((to) =>
        to.asked
          .all()
          .map(request)
          .map(({ id, body, at }): PendingRequest => ({ id, body: JSON.parse(body), at })),
      ),
    requestAnswer: (id) =>
      use((to) => {
        const row = to.request.get(id)
        return JSON.parse((row && request(row).answer) ?? 'null')
      }),
    verify: () => verifyEverything(db, file),
    watch: (wake) => wakeFile.watch(wake),
    watchFiles(lost) {
      files = watchFiles(db, file, lost)
    },
    saveCopy: (to) => use(() => db.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`)),
    async close() {
      if (!prepared) return
      wakeFile.close()
      prepared = null
      // Closing would write to files that are no longer ours; they are left to the end of the process.
      if (files?.isLost()) abandoned.add(db)
      else closeDatabase(db, hasAppended)
      files?.close()
    },
  }
}

function readTogether<T>(db: DatabaseSyncInstance, statements: Statements, read: (statements: Statements) => T): T {
  statements.beginRead.run()
  try {
    return read(statements)
  } finally {
    // An I/O error may have ended the transaction already.
    if (db.isTransaction) statements.commit.run()
  }
}

// Keeps a reference: garbage collection would close them.
const abandoned = new Set<DatabaseSyncInstance>()

function claim(db: DatabaseSyncInstance, statements: Statements, ledger: LedgerId, ends: KnownEnds): Claimed {
  const { claimed } = inTransaction(db, statements, () => {
    statements.claim.run(ledger)
    const { epoch, seq, sum } = statements.standing.get(ledger) as Claimed & LedgerPlace
    ends.set(ledger, { seq, sum })
    return { kind: 'claimed', claimed: { epoch, seq } }
  })
  return claimed
}

// The package closes the file only when its prepared statements are garbage-collected, so the write-ahead log is
// checkpointed here.
function closeDatabase(db: DatabaseSyncInstance, hasAppended: boolean): void {
  try {
    if (hasAppended) db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The facts stay in the -wal file, and the next process reads them there.
  }
  db.close()
}

// Blobs are bytes, because SQLite's text ends at a NUL.
function blobText(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString()
}
