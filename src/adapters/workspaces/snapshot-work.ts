import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Commit, Tree } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { fetchFrom } from '../../git/fetch.ts'
import { type FolderTree, folderTree, resetIndex } from '../../git/folder-tree.ts'
import { splitNul } from '../../git/git.ts'
import { type CheckedOutCommit, headOf, isAncestor, treeOf } from '../../git/history.ts'
import { cloneGit, isGitsFailure, missing, savingGit } from './clone-git.ts'
import { type ClonePaths, isWhole } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { changedSetupFiles, excludingSettings } from './exclusions.ts'

/** Contents of a workspace at one moment, stored in the repository. */
export interface WorkSnapshot {
  /** HEAD of the workspace; null: it has none. */
  readonly head: Commit | null
  /** Parent of the tree: HEAD when it descends from the base, else the last known commit. */
  readonly parent: CheckedOutCommit
  readonly tree: Tree
  readonly unnamed: readonly string[]
}

/** Stores everything not ignored in the repository; a HEAD that does not descend from the base (null: any) is left out. */
export async function snapshotWork(
  context: WorkspaceContext,
  clone: ClonePaths,
  base: Commit | null,
  last: Commit,
): Promise<WorkSnapshot | Problem> {
  if (!isWhole(clone)) return missing(clone)
  const isStaged = hasStaged(clone)
  const changed = await changedSetupFiles(context, clone)
  if (isProblem(changed)) return changed
  const [head, unstaged, staged] = await Promise.all([
    headOf(cloneGit(context, clone)),
    // An agent that staged nothing has committed nothing, as a rule; then this tree is already the result.
    isStaged ? null : saveTree(context, clone, changed),
    isStaged ? forcedFiles(context, clone) : null,
  ])
  if (isProblem(head)) return isGitsFailure(head) ? missing(clone, head) : head
  if (isProblem(staged)) return staged
  const parent = await parentOf(context, clone, head, base, last)
  if (isProblem(parent)) return parent
  const commit = head?.commit ?? null
  if (unstaged !== null && parent.commit === last)
    return isProblem(unstaged) ? unstaged : { head: commit, parent, ...unstaged }
  const forced = staged ?? (await forcedFiles(context, clone))
  if (isProblem(forced)) return forced
  return snapshotFiles(context, clone, { head: commit, parent, last, forced: [...forced, ...changed] })
}

/** Stores the files of a workspace whose git folder is missing or broken. */
export async function snapshotRemains(
  context: WorkspaceContext,
  clone: ClonePaths,
  last: Commit,
): Promise<WorkSnapshot | Problem> {
  const [parent, forced] = await Promise.all([known(context, last), changedSetupFiles(context, clone)])
  if (isProblem(parent)) return parent
  return isProblem(forced) ? forced : snapshotFiles(context, clone, { head: null, parent, last, forced })
}

interface SnapshotOrder {
  readonly head: Commit | null
  readonly parent: CheckedOutCommit
  readonly last: Commit
  readonly forced: readonly string[]
}

async function snapshotFiles(
  context: WorkspaceContext,
  clone: ClonePaths,
  { head, parent, last, forced }: SnapshotOrder,
): Promise<WorkSnapshot | Problem> {
  const git = savingGit(context, clone.tree)
  // This index is ours since the clone was made, so nothing that an agent does to its own index can hide work.
  if (parent.commit !== last || !existsSync(clone.index)) {
    const failed = await resetIndex(git, clone.index, parent.commit)
    if (failed !== null) return failed
  }
  const tree = await saveTree(context, clone, forced)
  return isProblem(tree) ? tree : { head, parent, ...tree }
}

function saveTree(
  context: WorkspaceContext,
  clone: ClonePaths,
  forced: readonly string[],
): Promise<FolderTree | Problem> {
  const settings = excludingSettings(clone)
  return folderTree({ git: savingGit(context, clone.tree), index: clone.index, forced, settings })
}

async function parentOf(
  context: WorkspaceContext,
  clone: ClonePaths,
  head: CheckedOutCommit | null,
  base: Commit | null,
  last: Commit,
): Promise<CheckedOutCommit | Problem> {
  if (head === null) return known(context, last)
  if (head.commit === last || head.commit === base) return head
  const { git } = context.repository
  const failed = await fetchFrom(git, join(clone.tree, '.git'), 'HEAD')
  // The files are still good when an agent broke its history.
  if (failed !== null) return isGitsFailure(failed) ? known(context, last) : failed
  const continues = base === null || (await isAncestor(git, base, head.commit))
  if (isProblem(continues)) return continues
  return continues ? head : known(context, last)
}

async function known({ repository }: WorkspaceContext, commit: Commit): Promise<CheckedOutCommit | Problem> {
  const tree = await treeOf(repository.git, commit)
  return isProblem(tree) ? tree : { commit, tree }
}

/** True when the agent has changed its index. */
function hasStaged(clone: ClonePaths): boolean {
  const [theirs, ours] = [join(clone.tree, '.git', 'index'), clone.index].map(contentOf)
  return !theirs || !ours || !theirs.equals(ours)
}

/** Reads a plain file; reading a pipe or a device might never end. */
function contentOf(file: string): Buffer | null {
  try {
    return lstatSync(file).isFile() ? readFileSync(file) : null
  } catch {
    return null // missing or unreadable
  }
}

// An agent that stages an ignored file wants it committed.
async function forcedFiles(context: WorkspaceContext, clone: ClonePaths): Promise<readonly string[] | Problem> {
  if (!isFile(join(clone.tree, '.git', 'index'))) return []
  const answer = await cloneGit(context, clone).ask(['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'])
  if ('kind' in answer) return answer
  const paths = answer.exitCode === 0 ? splitNul(answer.stdout) : []
  const stats = await Promise.all(paths.map((path) => lstat(join(clone.tree, path)).catch(() => null)))
  return paths.filter((_, index) => stats[index] !== null)
}

/** True for plain files, which git can read to their end. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false // missing, or a dangling link
  }
}
