import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Commit, Tree } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { type FolderTree, folderTree, resetIndex } from '../../git/folder-tree.ts'
import { splitNul } from '../../git/git.ts'
import { type CommitWithTree, commitOf, isAncestor, treeOf } from '../../git/history.ts'
import { cloneGit, isGitsFailure, missing, savingGit } from './clone-git.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { changedSetupFiles, excludingSettings } from './exclusions.ts'
import { inspectWorkspace } from './inspect-workspace.ts'
import { ensureTake, renewTake, takeOut } from './take.ts'

/** Contents of a workspace at one moment, stored in the repository. */
export interface WorkSnapshot {
  /** HEAD of the workspace; null: it has none. */
  readonly head: Commit | null
  /** Parent of the tree: HEAD when it descends from the base, else the last known commit. */
  readonly parent: CommitWithTree
  readonly tree: Tree
  readonly unnamed: readonly string[]
}

/** Stores everything not ignored in the repository; a HEAD that does not descend from the base (null: any) is left out. */
export function snapshotWork(
  context: WorkspaceContext,
  clone: ClonePaths,
  base: Commit | null,
  last: Commit,
): Promise<WorkSnapshot | Problem> {
  return withTake(context, clone, async () => {
    if (!existsSync(clone.ready) || !existsSync(clone.tree)) return missing(clone, 'the whole folder')
    const inspected = await inspectWorkspace(context, clone)
    if (isProblem(inspected)) return inspected
    if (inspected.broken !== null) return missing(clone, inspected.broken)
    return snapshotWhole(context, clone, { base, last, isStaged: inspected.isStaged })
  })
}

/** Stores the files of a workspace whose git folder is missing or broken. */
export function snapshotRemains(
  context: WorkspaceContext,
  clone: ClonePaths,
  last: Commit,
): Promise<WorkSnapshot | Problem> {
  return withTake(context, clone, async () => {
    const inspected = await inspectWorkspace(context, clone)
    if (isProblem(inspected)) return inspected
    const [parent, forced] = await Promise.all([known(context, last), changedSetupFiles(context, clone)])
    if (isProblem(parent)) return parent
    return isProblem(forced) ? forced : snapshotFiles(context, clone, { head: null, parent, last, forced })
  })
}

/** Runs work with our git folder of a clone; once more with a new one if git cannot use what is in it. */
async function withTake<T>(
  context: WorkspaceContext,
  clone: ClonePaths,
  work: () => Promise<T | Problem>,
): Promise<T | Problem> {
  const first = (await ensureTake(context, clone)) ?? (await work())
  const isUnusable = isGitsFailure(first) || (isProblem(first) && first.code === 'files-unsaved')
  if (!isUnusable) return first
  return (await renewTake(context, clone)) ?? work()
}

interface WholeOrder {
  readonly base: Commit | null
  readonly last: Commit
  readonly isStaged: boolean
}

async function snapshotWhole(
  context: WorkspaceContext,
  clone: ClonePaths,
  { base, last, isStaged }: WholeOrder,
): Promise<WorkSnapshot | Problem> {
  const changed = await changedSetupFiles(context, clone)
  if (isProblem(changed)) return changed
  const [head, unstaged, staged] = await Promise.all([
    commitOf(cloneGit(context, clone), 'HEAD'),
    // An agent that staged nothing has committed nothing, as a rule; then this tree is already the result.
    isStaged ? null : saveTree(context, clone, changed),
    isStaged ? forcedFiles(context, clone) : null,
  ])
  if (isProblem(head)) return isGitsFailure(head) ? missing(clone, '.git', head) : head
  if (isProblem(staged)) return staged
  const parent = await parentOf(context, clone, head, base, last)
  if (isProblem(parent)) return parent
  if (unstaged !== null && parent.commit === last) return taken(context, clone, { head, parent }, unstaged)
  const forced = staged ?? (await forcedFiles(context, clone))
  if (isProblem(forced)) return forced
  return snapshotFiles(context, clone, { head, parent, last, forced: [...forced, ...changed] })
}

interface SnapshotOrder {
  readonly head: Commit | null
  readonly parent: CommitWithTree
  readonly last: Commit
  readonly forced: readonly string[]
}

async function snapshotFiles(
  context: WorkspaceContext,
  clone: ClonePaths,
  { head, parent, last, forced }: SnapshotOrder,
): Promise<WorkSnapshot | Problem> {
  const git = savingGit(context, clone)
  // This index is ours since the clone was made, so nothing that an agent does to its own index can hide work.
  if (parent.commit !== last || !existsSync(clone.index)) {
    const failed = await resetIndex(git, clone.index, parent.commit)
    if (failed !== null) return failed
  }
  return taken(context, clone, { head, parent }, await saveTree(context, clone, forced))
}

function saveTree(
  context: WorkspaceContext,
  clone: ClonePaths,
  forced: readonly string[],
): Promise<FolderTree | Problem> {
  const settings = excludingSettings(clone)
  return folderTree({ git: savingGit(context, clone), index: clone.index, forced, settings })
}

/** Takes a tree into the repository. */
async function taken(
  context: WorkspaceContext,
  clone: ClonePaths,
  { head, parent }: Pick<WorkSnapshot, 'head' | 'parent'>,
  saved: FolderTree | Problem,
): Promise<WorkSnapshot | Problem> {
  if (isProblem(saved)) return saved
  const [from, to, known] = [savingGit(context, clone), context.repository.git, [parent.commit]]
  const failed = saved.tree === parent.tree ? null : await takeOut(clone, { from, to, wanted: [saved.tree], known })
  return failed ?? { head, parent, ...saved }
}

async function parentOf(
  context: WorkspaceContext,
  clone: ClonePaths,
  head: Commit | null,
  base: Commit | null,
  last: Commit,
): Promise<CommitWithTree | Problem> {
  if (head === null) return known(context, last)
  if (head === last || head === base) return known(context, head)
  const { git } = context.repository
  const from = savingGit(context, clone, clone.tree, [join(clone.tree, '.git', 'objects')])
  const order = { from, to: git, wanted: [head], known: base === null ? [last] : [last, base] }
  const failed = await takeOut(clone, order)
  // The files are still good when an agent broke its history.
  if (failed !== null) return isGitsFailure(failed) ? known(context, last) : failed
  const continues = base === null || (await isAncestor(git, base, head))
  if (isProblem(continues)) return continues
  return known(context, continues ? head : last)
}

async function known({ repository }: WorkspaceContext, commit: Commit): Promise<CommitWithTree | Problem> {
  const tree = await treeOf(repository.git, commit)
  return isProblem(tree) ? tree : { commit, tree }
}

// An agent that stages an ignored file wants it committed.
async function forcedFiles(context: WorkspaceContext, clone: ClonePaths): Promise<readonly string[] | Problem> {
  const kindOf = (path: string) => lstatSync(join(clone.tree, path), { throwIfNoEntry: false })
  if (!kindOf('.git/index')?.isFile()) return []
  const answer = await cloneGit(context, clone).ask(['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'])
  if ('kind' in answer) return answer
  const paths = answer.exitCode === 0 ? splitNul(answer.stdout) : []
  return paths.filter((path) => kindOf(path) !== undefined)
}
