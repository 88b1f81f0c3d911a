import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { LedgerId } from '../../core/model/ids.ts'
import type { AskedRequest, Claimed, RecordedEvent, RunRow, Store } from '../../ports/store.ts'
import { withFile } from '../trouble.ts'
import { upcast } from '../upcast.ts'
import { append, inTransaction } from './append.ts'
import { prepareStatements, type Statements } from './statements.ts'
import { openWakeFile } from './wake-file.ts'

const CHUNK_EVENTS = 1_000

/** The store port on an open database of the current schema; `file` is its name for messages. */
export function sqliteStore(db: DatabaseSyncInstance, file: string): Store {
  const statements = prepareStatements(db)
  const wakeFile = openWakeFile(file, () => statements.dataVersion.get().data_version)
  const use = <T>(operate: () => T) => withFile(file, operate)

  return {
    claim: (ledger) => use(() => claim(db, statements, ledger)),
    async append(batch) {
      const result = await use(() => append(db, statements, batch))
      wakeFile.touchSoon()
      return result
    },
    read: (ledger, after) =>
      inChunks(after, 'seq', (last) => use(() => statements.ofLedger.all(ledger, last, CHUNK_EVENTS))),
    readAll(after, { ledgers }) {
      if (!ledgers) return inChunks(after, 'position', (last) => use(() => statements.all.all(last, CHUNK_EVENTS)))
      const names = JSON.stringify(ledgers)
      return inChunks(after, 'position', (last) => use(() => statements.ofSome.all(last, names, CHUNK_EVENTS)))
    },
    ledgers: (prefix) => use(() => statements.ledgers.all(prefix).map(({ name }) => name as LedgerId)),
    blob: (digest) => use(() => blobText(statements.blob.get(digest))),
    runs: () => use(() => statements.runs.all().map(({ run, body }): RunRow => ({ run, row: JSON.parse(body) }))),
    async ask(id, body, at) {
      await use(() => statements.ask.run(id, at, JSON.stringify(body) ?? 'null'))
      wakeFile.touch()
    },
    asked: () =>
      use(() => statements.asked.all().map(({ id, body, at }): AskedRequest => ({ id, body: JSON.parse(body), at }))),
    answer: (id) => use(() => JSON.parse(statements.answer.get(id)?.answer ?? 'null')),
    watch: (wake) => wakeFile.watch(wake),
    async close() {
      wakeFile.close()
      if (db.isOpen) db.close()
    },
  }
}

function claim(db: DatabaseSyncInstance, statements: Statements, ledger: LedgerId): Claimed {
  const { epoch, seq } = inTransaction(db, statements, () => {
    statements.claim.run(ledger)
    return { kind: 'claimed', ...(statements.standing.get(ledger) as Claimed) }
  })
  return { epoch, seq }
}

type EventColumns = readonly [
  seq: number,
  position: number,
  at: number,
  ledger: LedgerId,
  version: number,
  body: string,
]

// Each chunk is a query of its own: an open one would keep the write-ahead log from being emptied.
async function* inChunks(
  after: number,
  order: 'seq' | 'position',
  next: (last: number) => Promise<EventColumns[]>,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let last = after; ; ) {
    const rows = await next(last)
    const events = rows.map(recorded)
    if (events.length > 0) yield events
    if (rows.length < CHUNK_EVENTS) return
    last = events.at(-1)?.[order] ?? last
  }
}

function recorded([seq, position, at, ledger, version, body]: EventColumns): RecordedEvent {
  return { seq, position, at, ledger, event: upcast({ ledger, version, body: JSON.parse(body) }) }
}

// Kept as bytes: SQLite's text would end at a NUL.
function blobText(row: { body: Uint8Array } | undefined): string | null {
  return row ? Buffer.from(row.body).toString() : null
}
