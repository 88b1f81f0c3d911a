declare const brand: unique symbol
type Id<Name extends string> = string & { readonly [brand]: Name }

export type RunId = Id<'run'>
export type TaskId = Id<'task'>
export type MilestoneId = Id<'milestone'>
export type AttemptId = Id<'attempt'>
export type SessionId = Id<'session'>
export type RequestId = Id<'request'>
/** Entry of the landing queue: an attempt, a revert or a sync. */
export type LandingId = Id<'landing'>
/** Full object name of a commit. */
export type Commit = Id<'commit'>
/** Full object name of a tree. */
export type Tree = Id<'tree'>
/** Name of a ledger: `run/…` or `attempt/…`. */
export type LedgerId = Id<'ledger'>

/** Ids allowed for tasks and milestones. */
export const ID_PATTERN = /^[A-Za-z0-9._-]{1,64}$/

/** Returns the name of a task's n-th attempt; n is counted per task and repository. */
export function attemptIdOf(task: TaskId, number: number): AttemptId {
  return `${task}-a${number}` as AttemptId
}

/** Returns the ledger of a run. */
export function runLedger(run: RunId): LedgerId {
  return `run/${run}` as LedgerId
}

/** Returns the ledger of an attempt. */
export function attemptLedger(attempt: AttemptId): LedgerId {
  return `attempt/${attempt}` as LedgerId
}
