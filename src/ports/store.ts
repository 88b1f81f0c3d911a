import type { LedgerId, RequestId, RunId } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'
import type { Receipt } from '../core/model/verdict.ts'

/** Keeps ledgers, blobs, requests and one summary row per run. Its calls throw `ProblemError` when the machine fails it. */
export interface Store {
  /** Makes the caller a ledger's one writer: from now on, appends of earlier writers are refused. */
  claim(ledger: LedgerId): Promise<Claimed>
  /** Appends facts in one transaction, with everything that belongs to them; durable when it answers. */
  append(batch: AppendBatch): Promise<Appended | AppendConflict>
  /** A ledger's facts after a place in it, in order, in chunks; all of them, or all but some kinds. */
  read(ledger: LedgerId, after: number, filter?: KindFilter): AsyncIterable<readonly RecordedEvent[]>
  /** All ledgers' facts after a position, in the order they were recorded, in chunks. */
  readAll(after: number, filter: LogFilter): AsyncIterable<readonly RecordedEvent[]>
  /** The names of all ledgers that start so. */
  ledgers(prefix: string): Promise<readonly LedgerId[]>
  blob(digest: string): Promise<string | null>
  /** What is kept of a check on the same files in the same environment, the newest first; of many runs the last few. */
  receipts(key: ReceiptKey): Promise<readonly KeptReceipt[]>
  /** The summaries of all runs, oldest first. */
  runs(): Promise<readonly RunRow[]>
  /** Puts a request where the engine finds it. */
  ask(id: RequestId, body: unknown, at: number): Promise<void>
  /** Requests without an answer, oldest first. */
  asked(): Promise<readonly AskedRequest[]>
  answer(id: RequestId): Promise<unknown | null>
  /** Calls back soon after another process has put a request or appended; returns how to stop. */
  watch(wake: () => void): () => void
  close(): Promise<void>
}

export interface Claimed {
  readonly epoch: number
  readonly seq: number
}

export interface AppendBatch {
  readonly ledger: LedgerId
  readonly epoch: number
  /** The seq of the last fact the writer knows. */
  readonly after: number
  readonly at: number
  readonly events: readonly { readonly kind: string }[]
  /** Long texts by digest. */
  readonly blobs?: ReadonlyMap<string, string>
  /** What checks proved, to be found again by what they ran on. */
  readonly receipts?: readonly Receipt[]
  /** The run's summary row after these facts. */
  readonly summary?: { readonly run: RunId; readonly row: unknown }
  readonly answers?: readonly { readonly id: RequestId; readonly body: unknown }[]
}

/** Everything that a check's outcome depends on. */
export type ReceiptKey = Pick<Receipt, 'tree' | 'command' | 'environmentDigest'>

export interface KeptReceipt {
  readonly receipt: Receipt
  readonly at: number
}

export interface Appended {
  readonly kind: 'appended'
  /** The seq of the last fact appended. */
  readonly seq: number
}

/** Somebody else writes this ledger now: the caller is dead. */
export interface AppendConflict {
  readonly kind: 'conflict'
  readonly reason: string
}

export interface RecordedEvent {
  /** The place in its ledger, from 1. */
  readonly seq: number
  /** The place among all facts of the store. */
  readonly position: number
  readonly at: number
  readonly ledger: LedgerId
  readonly event: { readonly kind: string }
}

/** Which facts are left out. */
export interface KindFilter {
  readonly without: readonly string[]
}

export interface LogFilter {
  readonly ledgers?: readonly LedgerId[]
}

export interface RunRow {
  readonly run: RunId
  readonly row: unknown
}

export interface AskedRequest {
  readonly id: RequestId
  readonly body: unknown
  readonly at: number
}

/** The right to be the one engine of a repository; free the moment its holder dies. */
export interface Leases {
  acquire(holder: LeaseHolder): Promise<Lease | LeaseHeld | Problem>
  /** Who holds it, or null. */
  holder(): Promise<LeaseHolder | null>
}

export interface LeaseHolder {
  readonly pid: number
  readonly startedAt: number
  readonly purpose: string
}

export interface Lease {
  readonly kind: 'lease'
  release(): Promise<void>
}

export interface LeaseHeld {
  readonly kind: 'held'
  readonly by: LeaseHolder | null
}
