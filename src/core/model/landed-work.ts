import type { AttemptId, Commit, RunId, TaskId } from './ids.ts'
import type { Task } from './task.ts'
import type { Receipt } from './verdict.ts'

/** Commit on the landing line, with the files that it changed. */
export interface LineChange {
  readonly commit: Commit
  /** Task of its Task-Id trailer, or null for a commit of the user. */
  readonly task: TaskId | null
  /** Landed commit that it reverts, or null. */
  readonly reverts: Commit | null
  readonly files: readonly string[]
}

/** Landed task that rests on another one. */
export interface Dependent {
  readonly task: TaskId
  /** Task that it rests on. */
  readonly on: TaskId
  /** Files that both changed; empty when it is in its `after`. */
  readonly files: readonly string[]
}

/** Landed task of an earlier run that the current run takes over in order to revert it. */
export interface CarriedTask {
  readonly run: RunId
  readonly task: Task
  readonly attemptsBefore: number
  readonly landed: { readonly attempt: AttemptId; readonly commit: Commit; readonly receipts: readonly Receipt[] }
}

/** Commit on a landing line with its trailers. */
export interface LineLanding {
  readonly commit: Commit
  readonly task: TaskId | null
  readonly attempt: AttemptId | null
  /** Landed commit that it reverts, or null. */
  readonly reverts: Commit | null
  readonly subject: string
}

/** Landed task that only git still knows. */
export interface RecoveredTask {
  /** Only id and title are known. */
  readonly task: Task
  readonly attempt: AttemptId
  readonly commit: Commit
}
