import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { AppendBatch, AppendConflict, Appended } from '../../ports/store.ts'
import { versionOf } from '../upcast.ts'
import type { Statements } from './statements.ts'

/** Appends a batch in one transaction, or leaves everything as it was. */
export function append(
  db: DatabaseSyncInstance,
  statements: Statements,
  batch: AppendBatch,
): Appended | AppendConflict {
  const write = prepareWrite(batch)
  return inTransaction(db, statements, () => refusalOf(statements, batch) ?? write(statements))
}

/** Runs one write transaction; a conflict or an exception takes back what it wrote. */
export function inTransaction<T extends { readonly kind: string }>(
  db: DatabaseSyncInstance,
  { begin, commit, rollback }: Pick<Statements, 'begin' | 'commit' | 'rollback'>,
  work: () => T,
): T {
  begin.run()
  try {
    const result = work()
    if (result.kind === 'conflict') rollback.run()
    else commit.run()
    return result
  } catch (error) {
    // A full disk may have ended it already.
    if (db.isTransaction) rollback.run()
    throw error
  }
}

function refusalOf({ standing }: Statements, { ledger, epoch, after }: AppendBatch): AppendConflict | null {
  const known = standing.get(ledger) as { epoch: number; seq: number } | undefined
  if (!known) return conflict(`${ledger} has no writer yet: it must be claimed first.`)
  if (known.epoch !== epoch) return conflict(`${ledger} has a newer writer (number ${known.epoch}; this is ${epoch}).`)
  if (known.seq !== after) return conflict(`${ledger} stands at ${known.seq}; this writer knows it up to ${after}.`)
  return null
}

/** Turns everything into text first, to keep the transaction short. */
function prepareWrite(batch: AppendBatch): (statements: Statements) => Appended | AppendConflict {
  const { ledger, after, at, summary } = batch
  const bodies = batch.events.map((event) => JSON.stringify(event))
  const blobs = [...(batch.blobs ?? [])].map(([digest, text]) => [digest, Buffer.from(text)] as const)
  const row = summary ? jsonOf(summary.row) : ''
  const answers = (batch.answers ?? []).map(({ id, body }) => ({ id, body: jsonOf(body) }))

  return ({ addEvent, addBlob, putRun, putAnswer }) => {
    for (const [index, event] of batch.events.entries()) {
      addEvent.run(ledger, after + index + 1, at, versionOf(ledger, event.kind), bodies[index])
    }
    for (const [digest, bytes] of blobs) addBlob.run(digest, bytes)
    if (summary) putRun.run(summary.run, row)
    const again = answers.find(({ id, body }) => putAnswer.run(id, at, body).changes === 0)
    if (again) return conflict(`Request ${again.id} has been answered already.`)
    return { kind: 'appended', seq: after + bodies.length }
  }
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

function conflict(reason: string): AppendConflict {
  return { kind: 'conflict', reason }
}
