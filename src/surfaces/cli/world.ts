import type { Environment } from '../../config/environment.ts'
import type { FileChange } from '../../core/model/file-change.ts'
import type { AttemptId, Commit, Tree } from '../../core/model/ids.ts'
import type { Problem } from '../../core/model/problem.ts'
import type { PortsInUse } from '../../engine/ports-in-use.ts'
import type { Activities } from '../../ports/activities.ts'
import type { Clock } from '../../ports/clock.ts'
import type { InUse } from '../../ports/landing.ts'
import type { RunExports } from '../../ports/run-exports.ts'
import type { Leases, Store } from '../../ports/store.ts'
import type { TaskSource } from '../../ports/task-source.ts'
import type { TranscriptTail } from '../../ports/transcripts.ts'
import type { Terminal } from './terminal.ts'

/** Everything the command line gets from outside. */
export interface World {
  readonly clock: Clock
  readonly environment: Environment
  /** The folder the user stands in. */
  readonly folder: string
  readonly pid: number
  readonly stdout: Stream
  readonly stderr: Stream
  /** Signals to this process; returns how to stop listening. */
  onSignal(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', heard: () => void): () => void
  /** Asks the person at the terminal; null: there is none. */
  ask(question: string): Promise<string | null>
  /** The terminal that a person sits at; null: there is none. */
  terminal(): Terminal | null
  /** Ends this process at once. */
  exit(code: number): never
  /** The adapters; loaded when first asked for. */
  adapters(): Promise<Adapters>
}

export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
  on(event: 'error', heard: (error: Error) => void): unknown
}

/** What the registry offers. */
export interface Adapters {
  /** The repository that a folder belongs to. */
  find(folder: string, environment: Environment): Promise<Repository | Problem>
  taskFile(): Promise<TaskSource>
  /** The names of all drivers. */
  readonly drivers: readonly string[]
  /** Why a driver cannot be used, or null. */
  driverProblem(name: string): Problem | null
  /** Tries out what the machine and the repository offer. */
  examine(world: Pick<World, 'folder' | 'environment'>): Promise<Examination>
  /** Runs git for the demo's own project. */
  git(folder: string, args: readonly string[], environment: Environment): Promise<string | Problem>
}

/** One repository, and where Longhaul keeps things for it. */
export interface Repository {
  /** The root of the checkout that we are in. */
  readonly root: string
  readonly stateFolder: string
  readonly workspacesHome: string
  /** Whether there is any state yet. */
  hasState(): boolean
  /** Opens the state, making it where it is missing. */
  openState(): Promise<State | Problem>
  /**
   * Refuses a repository that is not fit for this use; changes nothing there.
   * `corner`: a part of the workspaces' home that engines leave alone.
   */
  openTools(clock: Clock, use: ToolUse, corner?: string): Promise<Tools | Problem>
  /** Removes a corner of the workspaces' home that tools were opened for. */
  removeCorner(name: string): Promise<void>
  treeOf(commit: Commit): Promise<Tree | Problem>
  /** Those of these commits that the repository does not have. */
  missingCommits(commits: readonly Commit[]): Promise<readonly Commit[] | Problem>
  /** Makes the landing line of a target stand at a commit, unless there is one. */
  pinLine(target: string, commit: Commit): Promise<Problem | null>
  exports(): Promise<RunExports>
  /** Work that was salvaged and is still kept. */
  salvage(): Promise<Salvage | Problem>
  hasBranch(branch: string): Promise<boolean>
  /** Whether a branch has a commit. */
  branchHas(branch: string, commit: Commit): Promise<boolean>
  branchOf(attempt: AttemptId): string
  /** What crashes may have left in the repository and on the machine, besides what is in use. */
  leftovers(inUse: InUse): Promise<Leftovers | Problem>
  /** The prompt of a round that was sent; null: it is not kept any more. */
  promptOf(attempt: AttemptId, round: number): Promise<string | null>
  /** The end of what an attempt's agent said; null: nothing yet. */
  transcriptTail(attempt: AttemptId): Promise<TranscriptTail | null>
  /** What agents keep for themselves about workspaces of ours that are gone; `env`: what the settings give them. */
  agentRecords(
    env: Readonly<Record<string, string>>,
    kept: readonly string[],
  ): Promise<readonly { readonly path: string; remove(): Promise<void> }[]>
  readonly changes: Changes
}

export interface Salvage {
  readonly refs: readonly SalvagedWork[]
  forget(work: SalvagedWork): Promise<Problem | null>
}

export interface SalvagedWork {
  readonly ref: string
  readonly commit: Commit
  readonly savedAt: number
}

export interface Leftovers {
  /** Processes at work in our clones. */
  readonly processes: readonly { readonly pid: number; readonly name: string; readonly workspace: string }[]
  /** Corners whose makers are dead. */
  readonly corners: readonly string[]
  /** Lock files of git, and whether they are on refs of ours. */
  readonly locks: readonly { readonly file: string; readonly isOurs: boolean; readonly changedAt: number }[]
  /** Refs that only kept commits for work that is over. */
  readonly pins: readonly string[]
  removePins(names: readonly string[]): Promise<Problem | null>
}

/** What differs between commits of the repository. */
export interface Changes {
  /** The commit that a name stands for; null: there is none. */
  commitAt(name: string): Promise<Commit | null | Problem>
  /** For people, as git writes it. */
  text(
    from: Commit,
    to: Commit,
    look: { readonly form: 'patch' | 'stat'; readonly colors: 'on' | 'off'; readonly width: number | null },
  ): Promise<string | Problem>
  files(from: Commit, to: Commit): Promise<readonly FileChange[] | Problem>
}

export interface State {
  readonly store: Store
  readonly leases: Leases
  readonly activities: Activities
}

/** What tools are for: rounds need drivers and commits; commits need to know by whom; most verbs need neither. */
export type ToolUse = 'rounds' | 'commits' | 'neither'

/** The adapters of one repository, ready for an engine with a store. */
export interface Tools extends Omit<PortsInUse, 'store' | 'activities'> {
  /** The branch that is checked out; null: none. */
  readonly branch: string | null
  readonly containment: 'bwrap' | 'guard'
  close(): Promise<void>
}

/** What doctor finds out about the machine and the repository. */
export interface Examination {
  readonly git: string | Problem
  readonly repository: string | Problem
  /** Who commits are by, or why none can be made. */
  readonly identity: string | Problem
  readonly containment: 'bwrap' | 'guard' | Problem
  readonly sqlite: string | Problem
}
