import type { Commit } from '../../src/core/model/ids.ts'
import type { Landing } from '../../src/ports/landing.ts'
import type { Workspaces } from '../../src/ports/workspaces.ts'

/** A repository with a target branch "main", its user, and agents at work in it; real or simulated. */
export interface GitWorld {
  readonly workspaces: Workspaces
  readonly landing: Landing
  /** Simulates a restart of the engine: new adapters on the same repository and disk. */
  restart(): Promise<void>
  /** The user commits one file on the target; null deletes it. */
  userCommits(path: string, text: string | null): Promise<Commit>
  /** The user changes a file of the checked-out target and does not commit. */
  userLeavesChanges(): Promise<void>
  userRevertsChanges(): Promise<void>
  /** The user drops the target's latest commit. */
  userDropsLatest(): Promise<void>
  /** An agent writes a file in its workspace; null deletes it. */
  agentWrites(attempt: string, path: string, text: string | null): Promise<void>
  /** An attempt's workspace is deleted from outside. */
  workspaceVanishes(attempt: string): Promise<void>
  /** Reads a file of a workspace or checkout, or returns null when there is none. */
  fileIn(folder: string, path: string): Promise<string | null>
  /** Reads a file of a commit, or returns null when there is none. */
  fileAt(commit: Commit, path: string): Promise<string | null>
  parentsOf(commit: Commit): Promise<readonly Commit[]>
  /** Returns the commit of a ref, or null when there is none. */
  refAt(ref: string): Promise<Commit | null>
  leave(): Promise<void>
}

/** Latest commit of the target. */
export async function targetTip(world: GitWorld): Promise<Commit> {
  return known(await world.refAt('refs/heads/main'))
}

/** Latest commit of the landing line. */
export async function lineTip(world: GitWorld): Promise<Commit> {
  return known(await world.refAt('refs/longhaul/landed/main'))
}

/** Returns the value; throws when there is none. */
export function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('There is none.')
  return value
}
