import type { Comparison } from '../core/checks/weakened.ts'
import type { CandidateOrder, LandingSubject } from '../core/model/effect.ts'
import type { AttemptId, Commit, LandingId, Tree } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'

/** Brings commits onto the landing line, and the target branch after it. */
export interface Landing {
  /** The line of a target, opened at the target's commit where there is none; moved up to a target that is ahead of it. */
  openLine(target: string): Promise<LineOpen | LandingHeld | Problem>
  /** A commit that has the line, the user's own new commits and the subject's; recorded and pinned, on no branch. */
  prepare(
    landing: LandingId,
    subject: LandingSubject,
    order: CandidateOrder,
  ): Promise<Prepared | Conflict | LandingHeld | Problem>
  /** Moves the line from one commit to the next, if it still stands there, and forgets the pin. Says advanced when it has it already. */
  advance(landing: LandingId, target: string, from: Commit, to: Commit): Promise<Advanced | Stale | Problem>
  /** Moves the target to the line's commit where that disturbs nobody. */
  followTarget(target: string, commit: Commit, lastSeen: Commit): Promise<Followed | TargetHeld | Problem>
  /** The newest commit of a target's line that a commit goes back to. */
  baseOf(target: string, commit: Commit): Promise<Base | Problem>
  /** What differs from one commit to another, with the texts of some files in both; those too long are left out. */
  compare(from: Commit, to: Commit, read: readonly string[]): Promise<Comparison | Problem>
  /** What a commit changes against its base on a target's line, as a patch. */
  patch(target: string, commit: Commit): Promise<string | Problem>
  /** Forgets the pin of a landing that came to nothing. */
  unpin(landing: LandingId): Promise<void>
  /** The highest attempt number that a branch of the repository already carries, by task. */
  attemptNumbers(): Promise<ReadonlyMap<string, number>>
  /** The message of a branch's attempt, for people: where its work can be found. */
  branchOf(attempt: AttemptId): string
}

/** A commit and its files. */
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
}

/** Only a person can say how it goes on: history was rewritten, or the line and the target contradict each other. */
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
  /** What the user runs to let it follow. */
  readonly command: string | null
  /** Whether the target has commits that the line does not have. */
  readonly diverged: boolean
}

/** Attempts and landings whose refs are still needed. */
export interface InUse {
  readonly attempts: readonly AttemptId[]
  readonly landings: readonly LandingId[]
}
