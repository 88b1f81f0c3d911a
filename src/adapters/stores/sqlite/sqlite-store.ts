import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { RECEIPTS_MAX } from '../../../core/limits/limits.ts'
import type { LedgerId } from '../../../core/model/ids.ts'
import type { Receipt } from '../../../core/model/verdict.ts'
import type { Claimed, PendingRequest, RecordedEvent, RunRow, Store } from '../../../ports/store.ts'
import { withFile } from '../trouble.ts'
import { upcast } from '../upcast.ts'
import { append, inTransaction } from './append.ts'
import { type EventRow, prepareStatements, rowsIn, type Statements } from './statements.ts'
import { openWakeFile } from './wake-file.ts'
import { type WatchedFiles, watchFiles } from './watched-files.ts'

const CHUNK_EVENTS = 250

/** Implements the store port on an open database; `file` is its name for messages. */
export function sqliteStore(db: DatabaseSyncInstance, file: string): Store {
  let prepared: Statements | null = prepareStatements(db)
  let hasAppended = false
  let files: WatchedFiles | null = null

  const statements = () => {
    if (!prepared) throw new Error(`${file} was closed.`)
    return prepared
  }
  const use = <T>(operate: (statements: Statements) => T) => withFile(file, () => operate(statements()))
  const wakeFile = openWakeFile(file, () => statements().dataVersion.get().data_version)

  return {
    claim: (ledger) => use((to) => claim(db, to, ledger)),
    async append(batch) {
      files?.check()
      const result = await use((to) => append(db, to, batch)).catch((cause: unknown) => {
        // A loss explains the failure better than SQLite does.
        files?.check()
        throw cause
      })
      hasAppended = true
      wakeFile.touchSoon()
      return result
    },
    read(ledger, after, filter) {
      const kinds = filter && JSON.stringify(filter.without)
      const rowsAfter = (to: Statements, last: number) =>
        rowsIn(
          kinds
            ? to.ofLedgerWithout.get(ledger, last, kinds, CHUNK_EVENTS)
            : to.ofLedger.get(ledger, last, CHUNK_EVENTS),
          ledger,
        )
      return inChunks(after, 'seq', (last) => use((to) => rowsAfter(to, last).map(recorded)))
    },
    readAll(after, { ledgers }) {
      const names = JSON.stringify(ledgers)
      const rowsAfter = (to: Statements, last: number) =>
        rowsIn(ledgers ? to.ofSome.get(last, names, CHUNK_EVENTS) : to.all.get(last, CHUNK_EVENTS))
      return inChunks(after, 'position', (last) => use((to) => rowsAfter(to, last).map(recorded)))
    },
    ledgers: (prefix) => use((to) => to.ledgers.all(prefix).map(({ name }) => name as LedgerId)),
    blob: (digest) => use((to) => blobText(to.blob.get(digest))),
    receipts: ({ tree, command, environmentDigest }) =>
      use((to) =>
        to.receipts
          .all(tree, command, environmentDigest, RECEIPTS_MAX)
          .map(({ at, body }) => ({ at, receipt: JSON.parse(body) as Receipt })),
      ),
    runs: () => use((to) => to.runs.all().map(({ run, body }): RunRow => ({ run, row: JSON.parse(body) }))),
    async addRequest(id, body, at) {
      await use((to) => to.ask.run(id, at, JSON.stringify(body) ?? 'null'))
      wakeFile.touch()
    },
    pendingRequests: () =>
      use((to) => to.asked.all().map(({ id, body, at }): PendingRequest => ({ id, body: JSON.parse(body), at }))),
    requestAnswer: (id) => use((to) => JSON.parse(to.answer.get(id)?.answer ?? 'null')),
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

// Keeps a reference: garbage collection would close them.
const abandoned = new Set<DatabaseSyncInstance>()

function claim(db: DatabaseSyncInstance, statements: Statements, ledger: LedgerId): Claimed {
  const { claimed } = inTransaction(db, statements, () => {
    statements.claim.run(ledger)
    const [epoch, seq] = statements.standing.get(ledger) as [number, number]
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

// Each chunk is its own query: an open query would keep the write-ahead log from being emptied.
async function* inChunks(
  after: number,
  order: 'seq' | 'position',
  next: (last: number) => Promise<RecordedEvent[]>,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let last = after; ; ) {
    const events = await next(last)
    if (events.length > 0) yield events
    if (events.length < CHUNK_EVENTS) return
    last = events.at(-1)?.[order] ?? last
  }
}

function recorded({ seq, position, at, version, body, ledger }: EventRow): RecordedEvent {
  return { seq, position, at, ledger, event: upcast({ ledger, version, body }) }
}

// Blobs are bytes, because SQLite's text ends at a NUL.
function blobText(row: { body: Uint8Array } | undefined): string | null {
  return row ? Buffer.from(row.body).toString() : null
}
