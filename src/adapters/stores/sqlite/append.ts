import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { LedgerId } from '../../../core/model/ids.ts'
import type { AppendBatch, AppendConflict, Appended } from '../../../ports/store.ts'
import { blobSum, EMPTY_SUM, nextSum, rowSum } from '../checksum.ts'
import type { LedgerPlace, StoredRow } from '../ledger-chain.ts'
import { FACT_VERSION } from '../upcast.ts'
import type { Statements } from './statements.ts'

/** Last event of each ledger that this process writes. */
export type KnownEnds = Map<LedgerId, LedgerPlace>

/** Appends a batch in one transaction, or leaves everything as it was. */
export function append(
  db: DatabaseSyncInstance,
  statements: Statements,
  batch: AppendBatch,
  ends: KnownEnds,
): Appended | AppendConflict {
  // JSON is made first, to keep the transaction short.
  const texts = batch.events.map((event) => JSON.stringify(event))
  const extras = extrasOf(batch)
  const known = ends.get(batch.ledger)
  const before = known?.seq === batch.after ? known : standingOf(statements, batch.ledger)
  const sumBefore = before?.sum ?? EMPTY_SUM
  let end: LedgerPlace = { seq: batch.after, sum: sumBefore }
  const result = inTransaction(db, statements, (): Appended | AppendConflict => {
    const { ledger, epoch, after } = batch
    const rows = rowsAfter(batch, texts, sumBefore, statements.lastPosition.get().position)
    end = rows.at(-1) ?? end
    const moved = statements.moveEnd.run(end.seq, end.sum, ledger, epoch, after, sumBefore)
    if (moved.changes === 0) return refusalOf(statements, batch)
    for (const { position, seq, at, version, sum, body } of rows) {
      statements.addEvent.run(position, ledger, seq, at, version, sum, body)
    }
    const again = extras && addExtras(statements, batch, extras)
    return again ?? { kind: 'appended', seq: end.seq }
  })
  if (result.kind === 'appended') ends.set(batch.ledger, end)
  else ends.delete(batch.ledger)
  return result
}

/** Runs one write transaction; a conflict or an exception rolls it back. */
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
    // A full disk may have ended the transaction already.
    if (db.isTransaction) rollback.run()
    throw error
  }
}

interface Standing extends LedgerPlace {
  readonly epoch: number
}

function standingOf({ standing }: Statements, ledger: LedgerId): Standing | null {
  return (standing.get(ledger) as Standing | undefined) ?? null
}

function refusalOf(statements: Statements, { ledger, epoch, after }: AppendBatch): AppendConflict {
  const known = standingOf(statements, ledger)
  if (!known) return conflict(`${ledger} has no writer yet: it must be claimed first.`)
  if (known.epoch !== epoch) return conflict(`${ledger} has a newer writer (number ${known.epoch}; this is ${epoch}).`)
  if (known.seq !== after) return conflict(`${ledger} stands at ${known.seq}; this writer knows it up to ${after}.`)
  return conflict(`The recorded end of ${ledger} has changed since this writer appended event ${after}.`)
}

function rowsAfter(
  { ledger, after, at }: AppendBatch,
  texts: readonly string[],
  sumBefore: number,
  lastPosition: number,
): readonly StoredRow[] {
  let sum = sumBefore
  return texts.map((body, index) => {
    const seq = after + index + 1
    const text = { ledger, seq, position: lastPosition + index + 1, at, version: FACT_VERSION, body }
    sum = nextSum(sum, text)
    return { ...text, sum }
  })
}

interface Extras {
  readonly blobs: readonly (readonly [digest: string, bytes: Uint8Array])[]
  readonly receipts: readonly (readonly [tree: string, command: string, environment: string, text: string])[]
  readonly summary: readonly [run: string, text: string] | null
  readonly answers: readonly (readonly [id: string, text: string])[]
}

/** Converts what is appended along with the facts; null for most batches. */
function extrasOf({ blobs, receipts, summary, answers }: AppendBatch): Extras | null {
  if (!blobs && !receipts && !summary && !answers) return null
  return {
    blobs: [...(blobs ?? [])].map(([digest, text]) => [digest, Buffer.from(text)]),
    receipts: (receipts ?? []).map((one) => [one.tree, one.command, one.environmentDigest, JSON.stringify(one)]),
    summary: summary ? [summary.run, jsonOf(summary.row)] : null,
    answers: (answers ?? []).map(({ id, body }) => [id, jsonOf(body)]),
  }
}

function addExtras(
  { addBlob, addReceipt, putRun, putAnswer }: Statements,
  { at }: AppendBatch,
  extras: Extras,
): AppendConflict | null {
  for (const [digest, bytes] of extras.blobs) addBlob.run(digest, blobSum(digest, bytes), bytes)
  for (const [tree, command, environment, text] of extras.receipts) {
    addReceipt.run(tree, command, environment, at, rowSum(tree, command, environment, at, text), text)
  }
  if (extras.summary) putRun.run(extras.summary[0], rowSum(...extras.summary), extras.summary[1])
  const again = extras.answers.find(
    ([id, text]) => putAnswer.run(id, at, rowSum(id, at, 'null'), rowSum(id, text), text).changes === 0,
  )
  return again ? conflict(`Request ${again[0]} has been answered already.`) : null
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

function conflict(reason: string): AppendConflict {
  return { kind: 'conflict', reason }
}
