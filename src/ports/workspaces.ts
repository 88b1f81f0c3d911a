import type { AttemptSpec } from '../core/model/attempt.ts'
import type { CheckoutSetting } from '../core/model/effect.ts'
import type { AttemptId, Commit, Tree } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'

/** Private clones, one per attempt. */
export interface Workspaces {
  /** Creates and sets up the attempt's workspace at a commit, unless it exists. */
  ensure(spec: AttemptSpec, commit: Commit, signal: AbortSignal, note?: OnNote): Promise<Commit | SetupFailed | Problem>
  /** True when the attempt's workspace exists and is complete. */
  exists(attempt: AttemptId): Promise<boolean>
  /** Returns the folder of an attempt. */
  folder(attempt: AttemptId): string
  /** Returns the path for a file that the agent can read and git ignores, or null when the workspace has no room for it. */
  reserveAgentFile(attempt: AttemptId, path: string): Promise<string | null>
  /** Ends every process in the workspace; the problem names those that would not end. */
  endProcesses(attempt: AttemptId): Promise<Problem | null>
  /**
   * Commits everything that git does not ignore as the attempt's branch in the repository. The commit
   * replaces `amends` if that is still the workspace's HEAD.
   */
  checkpoint(spec: AttemptSpec, last: Commit, message: string, amends?: Commit | null): Promise<Checkpoint | Problem>
  /** Describes the work up to a commit in a short text: the last commits, and the files that differ from the base. */
  history(spec: AttemptSpec, commit: Commit): Promise<string | Problem>
  /** Removes the workspace of landed work; salvages and keeps that of failed work. */
  release(spec: AttemptSpec, commit: Commit, how: 'landed' | 'keep', note?: OnNote): Promise<Released | Problem>
  /** Creates a clean checkout of one commit and sets it up for checks. */
  checkOut(
    name: string,
    commit: Commit,
    setting: CheckoutSetting,
    signal: AbortSignal,
  ): Promise<Checkout | SetupFailed | Problem>
  /** Runs a hook of the user in the attempt's workspace; returns null on success. */
  hook(
    attempt: AttemptId,
    name: string,
    command: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<SetupFailed | Problem | null>
  /** Lists all workspaces, complete or not, and leftover checkouts. */
  list(): Promise<readonly WorkspaceOnDisk[]>
  /** Ends the processes of a leftover and frees its name at once; returns the name that `discard` takes from now on. */
  setAside(name: string): Promise<string | Problem>
  /** Removes a leftover folder after salvaging unsaved work; once aborted, the rest is left for the next time. */
  discard(name: string, signal?: AbortSignal): Promise<Problem | null>
}

/** Called with a note for people; nothing depends on it. */
export type OnNote = (text: string) => void

/** Failure of a setup command or of a hook. */
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
  /** Nested repositories and submodules whose state the commit does not hold. */
  readonly nested: readonly string[]
}

export interface Released {
  readonly kind: 'released'
  readonly kept: boolean
  /** Refs of the salvaged work. */
  readonly salvage: readonly string[]
}

export interface Checkout {
  readonly kind: 'checkout'
  readonly folder: string
  /** Ends its processes and removes it. */
  discard(): Promise<void>
}

export interface WorkspaceOnDisk {
  readonly name: string
  readonly kind: 'workspace' | 'partial' | 'checkout' | 'leftover'
  /** Attempt that it belongs to; null for checkouts. */
  readonly attempt: AttemptId | null
  readonly changedAt: number
}
