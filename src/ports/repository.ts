import type { FileChange } from '../core/model/file-change.ts'
import type { AttemptId, Commit, Tree } from '../core/model/ids.ts'
import type { LandedChange } from '../core/model/landed-change.ts'
import type { LineLanding } from '../core/model/landed-work.ts'
import type { LeaseHolder } from '../core/model/lease.ts'
import type { Problem } from '../core/model/problem.ts'
import type { SandboxSettings } from '../core/model/settings.ts'
import type { Activities } from './activities.ts'
import type { Backups } from './backups.ts'
import type { Clock } from './clock.ts'
import type { EnginePorts } from './engine-ports.ts'
import type { InUse } from './landing.ts'
import type { RunExports } from './run-exports.ts'
import type { Leases, Store } from './store.ts'
import type { TranscriptTail } from './transcripts.ts'

/** A user's repository, and everything that Longhaul keeps for it. */
export interface Repository {
  /** Root of the checkout that the user is in. */
  readonly root: string
  readonly stateFolder: string
  readonly workspacesHome: string
  /** Folder of the package caches that workspaces share. */
  readonly cachesHome: string
  /** True once Longhaul has recorded anything here. */
  hasState(): boolean
  /** Returns the process that holds the lease, also when the state is missing; null when none does. */
  leaseHolder(): Promise<LeaseHolder | null>
  /** Opens the state and creates it where it is missing, unless an engine still works with one that was moved away. */
  openState(): Promise<State | Problem>
  /** Opens the state for reading only, also where it cannot be written. */
  readState(): Promise<State | Problem>
  /** Opens the adapters; refuses a repository that is not fit for this use and changes nothing there. */
  openTools(clock: Clock, use: ToolUse, wishes?: ToolWishes): Promise<Tools | Problem>
  /** Removes a corner of the workspaces' home that tools were opened for. */
  removeCorner(name: string): Promise<void>
  treeOf(commit: Commit): Promise<Tree | Problem>
  /** Returns those of the commits that the repository does not have. */
  missingCommits(commits: readonly Commit[]): Promise<readonly Commit[] | Problem>
  /** Starts the landing line of a target at a commit, unless the line exists. */
  pinLine(target: string, commit: Commit): Promise<Problem | null>
  exports(): Promise<RunExports>
  /** Lists what has landed on every landing line, newest first. */
  lineLandings(): Promise<readonly LineLanding[] | Problem>
  /** Lists the branches of attempts, whose work has not landed. */
  attemptBranches(): Promise<readonly string[] | Problem>
  backups(): Promise<Backups>
  /** Lists salvaged work that is still kept. */
  salvage(): Promise<Salvage | Problem>
  hasBranch(branch: string): Promise<boolean>
  /** True when a branch contains a commit. */
  branchHas(branch: string, commit: Commit): Promise<boolean>
  branchOf(attempt: AttemptId): string
  /** Returns those of the folders that git would not ignore, and of which nothing is tracked. */
  unignored(folders: readonly string[]): Promise<readonly string[] | Problem>
  /** Finds the landings behind the present text of files in the checkout, except those that a person approved. */
  landedChanges(files: readonly string[]): Promise<readonly LandedChange[] | Problem>
  /** Records a person's approval of what landings changed in such files. */
  approveChanges(commits: readonly Commit[]): Promise<Problem | null>
  /** Finds what crashes may have left in the repository and on the machine, besides what is in use. */
  leftovers(inUse: InUse): Promise<Leftovers | Problem>
  /** Finds files of objects that git has not finished; those of a killed git stay until they are removed. */
  temporaryObjects(): Promise<readonly TemporaryFile[]>
  /** Returns the prompt that a round was sent, or null when it is no longer kept. */
  promptOf(attempt: AttemptId, round: number): Promise<string | null>
  /** Returns the end of an attempt's latest transcript, or null when there is none. */
  transcriptTail(attempt: AttemptId): Promise<TranscriptTail | null>
  readonly changes: Changes
}

/** Salvaged work, and the way to remove it. */
export interface Salvage {
  readonly refs: readonly SalvagedWork[]
  forget(work: SalvagedWork): Promise<Problem | null>
}

/** Ref that holds salvaged work. */
export interface SalvagedWork {
  readonly ref: string
  readonly commit: Commit
  readonly savedAt: number
}

/** Leftovers of crashed engines and verbs. */
export interface Leftovers {
  /** Processes that still work in our clones. */
  readonly processes: readonly LeftoverProcess[]
  /** Corners whose process has died. */
  readonly corners: readonly string[]
  readonly locks: readonly LockFile[]
  /** Refs that only pinned commits for work that is over. */
  readonly pins: readonly string[]
  removePins(names: readonly string[]): Promise<Problem | null>
}

/** Process that still works in one of our clones. */
export interface LeftoverProcess {
  readonly pid: number
  readonly name: string
  readonly workspace: string
}

/** Lock file of git. */
export interface LockFile {
  readonly file: string
  /** True when the lock is on a ref of ours. */
  readonly isOurs: boolean
  readonly changedAt: number
}

/** File that git writes before it gives it its name. */
export interface TemporaryFile {
  readonly file: string
  readonly bytes: number
  readonly changedAt: number
}

/** Differences between commits of the repository. */
export interface Changes {
  /** Resolves a name to a commit; null when the name is unknown. */
  commitAt(name: string): Promise<Commit | null | Problem>
  /** Returns a diff for people, as git writes it. */
  text(
    from: Commit,
    to: Commit,
    look: { readonly form: 'patch' | 'stat'; readonly colors: 'on' | 'off'; readonly width: number | null },
  ): Promise<string | Problem>
  files(from: Commit, to: Commit): Promise<readonly FileChange[] | Problem>
}

/** Open state of a repository. */
export interface State {
  readonly store: Store
  readonly leases: Leases
  readonly activities: Activities
}

/** Purpose of tools: rounds need drivers and a commit identity, commits need the identity, most verbs need neither. */
export type ToolUse = 'rounds' | 'commits' | 'neither'

/** Ways in which tools are opened. */
export interface ToolWishes {
  /** Part of the workspaces' home that engines leave alone. */
  readonly corner?: string
  readonly sandbox?: SandboxSettings
}

/** Adapters of one repository; with a store, all that an engine needs. */
export interface Tools extends Omit<EnginePorts, 'store' | 'activities'> {
  /** Branch that is checked out, or null. */
  readonly branch: string | null
  /** Tries to get out of the sandbox; returns what succeeded, in words that follow "a program in it can". */
  trySandbox(): Promise<readonly string[]>
  close(): Promise<void>
}
