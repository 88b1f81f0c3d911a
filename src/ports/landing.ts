import type { Comparison } from '../core/checks/weakened.ts'
import type { CandidateOrder, LandingSubject } from '../core/model/effect.ts'
import type { AttemptId, Commit, LandingId, Tree } from '../core/model/ids.ts'
import type { LineChange } from '../core/model/landed-work.ts'
import type { Problem } from '../core/model/problem.ts'
import type { Variant, VariantFile } from '../core/model/variant.ts'
import type { RevertConflict } from '../core/run/revert-conflict.ts'

/** Lands commits on the landing line and moves the target branch after it. */
export interface Landing {
  /** Opens the line of a target at the target's commit, or moves an existing line up to a target that is ahead of it. */
  openLine(target: string): Promise<LineOpen | LandingHeld | Problem>
  /** Merges the line, the user's new commits and the subject into a pinned commit that is on no branch. */
  prepare(
    landing: LandingId,
    subject: LandingSubject,
    order: CandidateOrder,
  ): Promise<Prepared | Conflict | LandingHeld | Problem>
  /** Moves the line from one commit to the next and removes the pin; `advanced` also when the line is there already. */
  advance(landing: LandingId, target: string, from: Commit, to: Commit): Promise<Advanced | Stale | Problem>
  /** Moves the target to the line's commit, unless that would disturb the user's work. */
  followTarget(target: string, commit: Commit, lastSeen: Commit): Promise<Followed | TargetHeld | Problem>
  /** Returns the newest commit of a target's line that a commit descends from. */
  baseOf(target: string, commit: Commit): Promise<Base | Problem>
  /** Lists the commits of a target's line from one of them on, newest first, with their files. */
  changesSince(target: string, commit: Commit): Promise<readonly LineChange[] | Problem>
  /** Compares two commits. */
  compare(from: Commit, to: Commit): Promise<Comparison | Problem>
  /** Returns the ids of the contents of a commit's files by path; those of links start with "link:". */
  filesOf(commit: Commit): Promise<ReadonlyMap<string, string> | Problem>
  /** Reads those of some files that a commit has, except very long ones. */
  readFiles(commit: Commit, paths: readonly string[]): Promise<ReadonlyMap<string, string> | Problem>
  /** Makes a commit on no branch with the files of another commit, some of them changed. */
  variant(commit: Commit, files: readonly VariantFile[]): Promise<Variant | Problem>
  /** Returns the patch from a commit's base on the line to the commit. */
  patch(target: string, commit: Commit): Promise<string | Problem>
  /** Removes the pin of a landing that failed. */
  unpin(landing: LandingId): Promise<void>
  /** Returns the highest attempt number among the repository's branches, by task. */
  attemptNumbers(): Promise<ReadonlyMap<string, number>>
  /** Returns the name of an attempt's branch. */
  branchOf(attempt: AttemptId): string
}

/** Commit with its tree. */
export interface Base {
  readonly kind: 'base'
  readonly commit: Commit
  readonly tree: Tree
}

export interface LineOpen {
  readonly kind: 'line-open'
  readonly line: Commit
  readonly tree: Tree
  readonly target: Commit
}

export interface Prepared {
  readonly kind: 'prepared'
  readonly line: Commit
  readonly base: Commit
  readonly commit: Commit
  readonly tree: Tree
  readonly target: Commit
}

export interface Conflict {
  readonly kind: 'conflict'
  readonly line: Commit
  readonly files: readonly string[]
  /** Cause of a conflict with a revert; null for other subjects. */
  readonly revert: RevertConflict | null
}

/** Landing needs a person: history was rewritten, or the line and the target contradict each other. */
export interface LandingHeld {
  readonly kind: 'held'
  readonly reason: string
  readonly hint: string
}

export interface Advanced {
  readonly kind: 'advanced'
  readonly commit: Commit
}

export interface Stale {
  readonly kind: 'stale'
  readonly line: Commit
}

export interface Followed {
  readonly kind: 'followed'
  readonly commit: Commit
}

export interface TargetHeld {
  readonly kind: 'target-held'
  readonly reason: string
  /** Command with which the user lets the target follow. */
  readonly command: string | null
  /** True when the target has commits that the line does not have. */
  readonly diverged: boolean
}

/** Attempts and landings whose refs are in use. */
export interface InUse {
  readonly attempts: readonly AttemptId[]
  readonly landings: readonly LandingId[]
}
