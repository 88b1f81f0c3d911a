import type { LedgerId, RequestId, RunId } from '../core/model/ids.ts'
import type { LeaseHeld, LeaseHolder } from '../core/model/lease.ts'
import type { Problem } from '../core/model/problem.ts'
import type { Receipt } from '../core/model/verdict.ts'

/**
 * Stores ledgers, blobs, requests and one summary row per run. Throws `ProblemError` when the machine fails, or when
 * something that is read does not match its checksum.
 */
export interface Store {
  /** Makes the caller the only writer of a ledger: appends of earlier writers are refused from now on. */
  claim(ledger: LedgerId): Promise<Claimed>
  /** Appends events and everything that belongs to them in one transaction; durable when it resolves. */
  append(batch: AppendBatch): Promise<Appended | AppendConflict>
  /** Reads the events of a ledger after a seq, in order and in chunks; leaves out some kinds if asked to. */
  read(ledger: LedgerId, after: number, filter?: KindFilter): AsyncIterable<readonly RecordedEvent[]>
  /** Reads the events of all ledgers after a position, in the order of recording and in chunks. */
  readAll(after: number, filter: LogFilter): AsyncIterable<readonly RecordedEvent[]>
  /** Returns all ledgers whose name starts with the prefix. */
  ledgers(prefix: string): Promise<readonly LedgerId[]>
  blob(digest: string): Promise<string | null>
  /** Returns the last few receipts of a check on the same files in the same environment, newest first; none if one is damaged. */
  receipts(key: ReceiptKey): Promise<readonly StoredReceipt[]>
  /** Returns the summaries of all runs, oldest first. */
  runs(): Promise<readonly RunRow[]>
  /** Adds a request for the engine. */
  addRequest(id: RequestId, body: unknown, at: number): Promise<void>
  /** Returns requests without an answer, oldest first. */
  pendingRequests(): Promise<readonly PendingRequest[]>
  requestAnswer(id: RequestId): Promise<unknown | null>
  /** Reads everything and compares it with its checksums. */
  verify(): Promise<StoreExamined>
  /** Calls back soon after another process has added a request or appended; returns a function that stops this. */
  watch(wake: () => void): () => void
  /** Starts to look at the store's files, until it is closed; calls back once when they are gone, replaced or truncated. */
  watchFiles(lost: (problem: Problem) => void): void
  /** Copies everything recorded into a new file, also when the store's own files are no longer in their place. */
  saveCopy(file: string): Promise<void>
  close(): Promise<void>
}

/** Everything in a store, compared with its checksums. */
export interface StoreExamined {
  /** Number of rows by what they are, such as events. */
  readonly counts: Readonly<Record<'ledgers' | 'events' | 'blobs' | 'receipts' | 'requests' | 'runs', number>>
  /** Descriptions of what does not match, such as `event 7 of run/r1 does not match its checksum`. */
  readonly damage: readonly string[]
}

export interface Claimed {
  readonly epoch: number
  readonly seq: number
}

export interface AppendBatch {
  readonly ledger: LedgerId
  readonly epoch: number
  /** Seq of the last event that the writer knows. */
  readonly after: number
  readonly at: number
  readonly events: readonly { readonly kind: string }[]
  /** Long texts by digest. */
  readonly blobs?: ReadonlyMap<string, string>
  /** Results of checks, stored by the files they ran on. */
  readonly receipts?: readonly Receipt[]
  /** Summary row of the run after these events. */
  readonly summary?: { readonly run: RunId; readonly row: unknown }
  readonly answers?: readonly { readonly id: RequestId; readonly body: unknown }[]
}

/** Everything that a check's outcome depends on. */
export type ReceiptKey = Pick<Receipt, 'tree' | 'command' | 'environmentDigest'>

export interface StoredReceipt {
  readonly receipt: Receipt
  readonly at: number
}

export interface Appended {
  readonly kind: 'appended'
  /** Seq of the last event appended. */
  readonly seq: number
}

/** Another process has claimed this ledger: the caller must stop. */
export interface AppendConflict {
  readonly kind: 'conflict'
  readonly reason: string
}

export interface RecordedEvent {
  /** Number in its ledger, from 1. */
  readonly seq: number
  /** Number among all events of the store. */
  readonly position: number
  readonly at: number
  readonly ledger: LedgerId
  readonly event: { readonly kind: string }
}

/** Kinds of events to leave out. */
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

export interface PendingRequest {
  readonly id: RequestId
  readonly body: unknown
  readonly at: number
}

/** Right to be a repository's only engine, which ends when the holder dies and survives the loss of its state. */
export interface Leases {
  acquire(holder: LeaseHolder): Promise<Lease | LeaseHeld | Problem>
  /** Returns the process that holds the lease, or null. */
  holder(): Promise<LeaseHolder | null>
}

export interface Lease {
  readonly kind: 'lease'
  release(): Promise<void>
}
