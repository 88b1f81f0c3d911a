import type { AttemptSpec } from '../core/model/attempt.ts'
import type { CheckoutSetting } from '../core/model/effect.ts'
import type { AttemptId, Commit, Tree } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'

/** Private clones, lent to one attempt each. */
export interface Workspaces {
  /** Makes the attempt's workspace at a commit and readies it, unless it is there already. */
  ensure(spec: AttemptSpec, commit: Commit, signal: AbortSignal, note?: Note): Promise<Commit | SetupFailed | Problem>
  /** Whether the attempt's workspace is there, whole. */
  exists(attempt: AttemptId): Promise<boolean>
  /** The folder an attempt works in. */
  folder(attempt: AttemptId): string
  /** Makes room for a file of ours that the agent can read and no commit has; null: there is none in this workspace. */
  ownFile(attempt: AttemptId, path: string): Promise<string | null>
  /** Ends every process that still lives in the workspace; a problem names those that would not end. */
  empty(attempt: AttemptId): Promise<Problem | null>
  /**
   * Saves everything not ignored as a commit and brings it into the repository as the attempt's branch. The commit takes
   * the place of `amends` where the workspace still stands on that.
   */
  checkpoint(spec: AttemptSpec, last: Commit, message: string, amends?: Commit | null): Promise<Checkpoint | Problem>
  /** What has been done up to a commit, in words and within bounds: the last commits, and which files differ from the base. */
  history(spec: AttemptSpec, commit: Commit): Promise<string | Problem>
  /** Removes the workspace of landed work, or salvages and keeps what failed. */
  release(spec: AttemptSpec, commit: Commit, how: 'landed' | 'keep', note?: Note): Promise<Released | Problem>
  /** A clean checkout of exactly one commit, made ready for checks. */
  checkOut(
    name: string,
    commit: Commit,
    setting: CheckoutSetting,
    signal: AbortSignal,
  ): Promise<Checkout | SetupFailed | Problem>
  /** Runs a hook of the user's in the attempt's workspace; null: it went well. */
  hook(
    attempt: AttemptId,
    name: string,
    command: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<SetupFailed | Problem | null>
  /** Every attempt that has a workspace, whole or not, and every checkout left behind. */
  list(): Promise<readonly WorkspaceOnDisk[]>
  /** Removes one left behind, salvaging what is not saved anywhere. */
  discard(name: string): Promise<Problem | null>
}

/** Takes what a person may want to know, and nothing depends on. */
export type Note = (text: string) => void

/** A setup command or a fatal hook failed. */
export interface SetupFailed {
  readonly kind: 'setup-failed'
  readonly command: string
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly output: string
}

export interface Checkpoint {
  readonly kind: 'checkpoint'
  readonly commit: Commit
  readonly tree: Tree
  readonly changed: number
  readonly protectedChanged: readonly string[]
  /** Nested repositories and submodules whose state the commit does not hold. */
  readonly nested: readonly string[]
}

export interface Released {
  readonly kind: 'released'
  readonly kept: boolean
  /** Refs that hold what was salvaged. */
  readonly salvage: readonly string[]
}

export interface Checkout {
  readonly kind: 'checkout'
  readonly folder: string
  /** Ends what lives in it and removes it. */
  discard(): Promise<void>
}

export interface WorkspaceOnDisk {
  readonly name: string
  readonly kind: 'workspace' | 'partial' | 'checkout' | 'leftover'
  /** The attempt it was lent to; null for checkouts. */
  readonly attempt: AttemptId | null
  readonly changedAt: number
}
