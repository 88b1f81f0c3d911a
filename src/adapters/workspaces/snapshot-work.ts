import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Commit, Tree } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { fetchFrom } from '../../git/fetch.ts'
import { folderTree, resetIndex } from '../../git/folder-tree.ts'
import { splitZero } from '../../git/git.ts'
import { type Head, headOf, isIn, treeOf } from '../../git/history.ts'
import { cloneGit, isGitsFailure, missing, savingGit } from './clone-git.ts'
import { type ClonePaths, isWhole } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'

/** What a workspace holds now, with all of it in the repository. */
export interface WorkSnapshot {
  /** Where the workspace's HEAD is; null: nowhere. */
  readonly head: Commit | null
  /** What the tree continues: the HEAD where that will do, else the last commit we know. */
  readonly parent: Head
  readonly tree: Tree
  readonly unnamed: readonly string[]
}

/** Takes everything not ignored into the repository; a HEAD that does not go back to the base (null: any) is left out. */
export async function snapshotWork(
  context: WorkspaceContext,
  clone: ClonePaths,
  base: Commit | null,
  last: Commit,
): Promise<WorkSnapshot | Problem> {
  if (!isWhole(clone)) return missing(clone)
  const isStaged = hasStaged(clone)
  const [head, early, staged] = await Promise.all([
    headOf(cloneGit(context, clone)),
    // Who has staged nothing has committed nothing, as a rule: then this is all there is to take.
    isStaged ? null : folderTree({ git: savingGit(context, clone.tree), index: clone.index }),
    isStaged ? forcedFiles(context, clone) : null,
  ])
  if (isProblem(head)) return isGitsFailure(head) ? missing(clone, head) : head
  if (isProblem(staged)) return staged
  const parent = await parentOf(context, clone, head, base, last)
  if (isProblem(parent)) return parent
  const commit = head?.commit ?? null
  if (early !== null && parent.commit === last) return isProblem(early) ? early : { head: commit, parent, ...early }
  const forced = staged ?? (await forcedFiles(context, clone))
  return isProblem(forced) ? forced : snapshotFiles(context, clone, { head: commit, parent, last, forced })
}

/** Takes the files of a workspace whose git folder is gone or of no use. */
export async function snapshotRemains(
  context: WorkspaceContext,
  clone: ClonePaths,
  last: Commit,
): Promise<WorkSnapshot | Problem> {
  const parent = await known(context, last)
  return isProblem(parent) ? parent : snapshotFiles(context, clone, { head: null, parent, last, forced: [] })
}

interface SnapshotOrder {
  readonly head: Commit | null
  readonly parent: Head
  readonly last: Commit
  readonly forced: readonly string[]
}

async function snapshotFiles(
  context: WorkspaceContext,
  clone: ClonePaths,
  { head, parent, last, forced }: SnapshotOrder,
): Promise<WorkSnapshot | Problem> {
  const git = savingGit(context, clone.tree)
  // The index is our own, from the clone's first day: what an agent does to its index cannot hide or break anything.
  if (parent.commit !== last || !existsSync(clone.index)) {
    const failed = await resetIndex(git, clone.index, parent.commit)
    if (failed !== null) return failed
  }
  const taken = await folderTree({ git, index: clone.index, forced })
  return isProblem(taken) ? taken : { head, parent, ...taken }
}

async function parentOf(
  context: WorkspaceContext,
  clone: ClonePaths,
  head: Head | null,
  base: Commit | null,
  last: Commit,
): Promise<Head | Problem> {
  if (head === null) return known(context, last)
  if (head.commit === last || head.commit === base) return head
  const { git } = context.repository
  const failed = await fetchFrom(git, join(clone.tree, '.git'), 'HEAD')
  // An agent that broke its history still has its files.
  if (failed !== null) return isGitsFailure(failed) ? known(context, last) : failed
  const continues = base === null || (await isIn(git, base, head.commit))
  if (isProblem(continues)) return continues
  return continues ? head : known(context, last)
}

async function known({ repository }: WorkspaceContext, commit: Commit): Promise<Head | Problem> {
  const tree = await treeOf(repository.git, commit)
  return isProblem(tree) ? tree : { commit, tree }
}

/** Whether the workspace's index is another than the one that we left there. */
function hasStaged(clone: ClonePaths): boolean {
  const [theirs, ours] = [join(clone.tree, '.git', 'index'), clone.index].map(contentOf)
  return !theirs || !ours || !theirs.equals(ours)
}

/** At once, as a check waits; what is no plain file might never end. */
function contentOf(file: string): Buffer | null {
  try {
    return lstatSync(file).isFile() ? readFileSync(file) : null
  } catch {
    return null // not there, or not ours to read
  }
}

// Ignored files that the agent staged all the same: it wants them in.
async function forcedFiles(context: WorkspaceContext, clone: ClonePaths): Promise<readonly string[] | Problem> {
  if (!isFile(join(clone.tree, '.git', 'index'))) return []
  const answer = await cloneGit(context, clone).ask(['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'])
  if ('kind' in answer) return answer
  const paths = answer.exitCode === 0 ? splitZero(answer.output) : []
  const isThere = await Promise.all(paths.map((path) => lstat(join(clone.tree, path)).catch(() => null)))
  return paths.filter((_, index) => isThere[index] !== null)
}

/** Whether git can read a file to its end. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false // not there, or a link that leads nowhere
  }
}
