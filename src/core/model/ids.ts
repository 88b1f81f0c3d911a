declare const brand: unique symbol
type Id<Name extends string> = string & { readonly [brand]: Name }

export type RunId = Id<'run'>
export type TaskId = Id<'task'>
export type MilestoneId = Id<'milestone'>
export type AttemptId = Id<'attempt'>
export type SessionId = Id<'session'>
export type RequestId = Id<'request'>
/** One entry of the landing queue: an attempt, or a revert. */
export type LandingId = Id<'landing'>
/** A commit's full object name. */
export type Commit = Id<'commit'>
/** A tree's full object name. */
export type Tree = Id<'tree'>
/** The name of one ledger: `run/…` or `attempt/…`. */
export type LedgerId = Id<'ledger'>

/** Which ids people may give to tasks and milestones. */
export const ID_PATTERN = /^[A-Za-z0-9._-]{1,64}$/

/** The name of a task's n-th attempt, n counted per task and repository. */
export function attemptIdOf(task: TaskId, number: number): AttemptId {
  return `${task}-a${number}` as AttemptId
}

/** Where a run's facts are kept. */
export function runLedger(run: RunId): LedgerId {
  return `run/${run}` as LedgerId
}

/** Where an attempt's facts are kept. */
export function attemptLedger(attempt: AttemptId): LedgerId {
  return `attempt/${attempt}` as LedgerId
}
