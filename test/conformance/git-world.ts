import type { Commit } from '../../src/core/model/ids.ts'
import type { Landing } from '../../src/ports/landing.ts'
import type { Workspaces } from '../../src/ports/workspaces.ts'

/** A repository with a target branch "main", its user, and agents at work in it; real or simulated. */
export interface GitWorld {
  readonly workspaces: Workspaces
  readonly landing: Landing
  /** Ends the engine and starts another: fresh adapters over what is there. */
  restart(): Promise<void>
  /** The user commits one file on the target; null deletes it. */
  userCommits(path: string, text: string | null): Promise<Commit>
  /** The user changes a file of the checked-out target and does not commit. */
  userLeavesChanges(): Promise<void>
  userTidiesUp(): Promise<void>
  /** The user drops the target's latest commit. */
  userDropsLatest(): Promise<void>
  /** An agent writes a file in its workspace; null deletes it. */
  agentWrites(attempt: string, path: string, text: string | null): Promise<void>
  /** Somebody removes an attempt's whole workspace. */
  workspaceVanishes(attempt: string): Promise<void>
  /** What a file of a workspace's or a checkout's folder holds; null when there is none. */
  fileIn(folder: string, path: string): Promise<string | null>
  /** What a file of a commit holds; null when there is none. */
  fileAt(commit: Commit, path: string): Promise<string | null>
  parentsOf(commit: Commit): Promise<readonly Commit[]>
  /** Where a ref stands; null when there is none. */
  refAt(ref: string): Promise<Commit | null>
  leave(): Promise<void>
}

/** The target's latest commit. */
export async function targetTip(world: GitWorld): Promise<Commit> {
  return known(await world.refAt('refs/heads/main'))
}

/** The commit that the landing line stands at. */
export async function lineTip(world: GitWorld): Promise<Commit> {
  return known(await world.refAt('refs/longhaul/landed/main'))
}

/** The value, where a test knows that there is one. */
export function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('There is none.')
  return value
}
