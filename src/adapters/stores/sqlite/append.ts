import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { AppendBatch, AppendConflict, Appended } from '../../../ports/store.ts'
import { FACT_VERSION } from '../upcast.ts'
import type { Statements } from './statements.ts'

/** Appends a batch in one transaction, or leaves everything as it was. */
export function append(
  db: DatabaseSyncInstance,
  statements: Statements,
  batch: AppendBatch,
): Appended | AppendConflict {
  // JSON is made first, to keep the transaction short.
  const texts = batch.events.map((event) => JSON.stringify(event))
  const extras = extrasOf(batch)
  return inTransaction(db, statements, () => {
    const refusal = refusalOf(statements, batch)
    if (refusal) return refusal
    addEvents(statements, batch, texts)
    const again = extras && addExtras(statements, batch, extras)
    return again ?? { kind: 'appended', seq: batch.after + texts.length }
  })
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

function refusalOf({ standing }: Statements, { ledger, epoch, after }: AppendBatch): AppendConflict | null {
  const known = standing.get(ledger) as readonly [epoch: number, seq: number] | undefined
  if (!known) return conflict(`${ledger} has no writer yet: it must be claimed first.`)
  const [knownEpoch, seq] = known
  if (knownEpoch !== epoch) return conflict(`${ledger} has a newer writer (number ${knownEpoch}; this is ${epoch}).`)
  if (seq !== after) return conflict(`${ledger} stands at ${seq}; this writer knows it up to ${after}.`)
  return null
}

function addEvents({ addEvent }: Statements, { ledger, after, at }: AppendBatch, texts: readonly string[]): void {
  for (const [index, text] of texts.entries()) addEvent.run(ledger, after + index + 1, at, FACT_VERSION, text)
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
  for (const [digest, bytes] of extras.blobs) addBlob.run(digest, bytes)
  for (const [tree, command, environment, text] of extras.receipts) {
    addReceipt.run(tree, command, environment, at, text)
  }
  if (extras.summary) putRun.run(...extras.summary)
  const again = extras.answers.find(([id, text]) => putAnswer.run(id, at, text).changes === 0)
  return again ? conflict(`Request ${again[0]} has been answered already.`) : null
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

function conflict(reason: string): AppendConflict {
  return { kind: 'conflict', reason }
}
