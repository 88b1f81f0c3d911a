import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { ChangedFile } from '../../git/changed-files.ts'
import { folderTree } from '../../git/folder-tree.ts'
import type { Git } from '../../git/git.ts'
import { treeOf } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { changeRefs } from '../../git/refs.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { nestedAt } from './nested-repository.ts'
import { type Module, modulesOf, wholeTree } from './submodules.ts'
import { takeOut } from './take.ts'

/** Copies new commits of submodules to the user's repositories; returns nested repositories whose state no commit holds. */
export async function saveModules(
  context: WorkspaceContext,
  attempt: AttemptId,
  clone: ClonePaths,
  changed: readonly ChangedFile[],
): Promise<readonly string[] | Problem> {
  const modules = await modulesOf(context, clone, wholeTree(context, clone))
  if (isProblem(modules)) return modules
  const known = new Set(modules.map(({ path }) => path))
  const unsaved = changed.filter(({ path, gitlink }) => gitlink !== null && !known.has(path)).map(({ path }) => path)
  const moved = new Set(changed.flatMap(({ path, gitlink }) => (gitlink === null ? [] : [path])))
  for (const module of modules.filter(({ folder }) => existsSync(join(folder, '.git')))) {
    const failed = moved.has(module.path) ? await takeCommit(context, clone, module, attempt) : null
    if (failed !== null) return failed
    const isDirty = await hasUncommitted(module)
    if (isProblem(isDirty)) return isDirty
    if (isDirty) unsaved.push(module.path)
  }
  return unsaved
}

async function takeCommit(
  context: WorkspaceContext,
  clone: ClonePaths,
  { git, saving, folder, commit }: Module,
  attempt: AttemptId,
): Promise<Problem | null> {
  const nested = await nestedAt(context, clone, folder)
  if (isProblem(nested)) return nested
  const known = await tipsOf(git)
  if (isProblem(known)) return known
  const { borrowed = [] } = saving.place
  const from = saving.at({ ...saving.place, borrowed: [...borrowed, ...(nested?.objects ?? [])] })
  const failed = await takeOut(clone, { from, to: git, wanted: [commit], known })
  if (failed !== null) return failed
  const pinned = await changeRefs(git, [{ ref: refs.attempt(attempt), to: commit }])
  return isProblem(pinned) ? pinned : null
}

/** True when a submodule has changes that are not in its commit. */
export async function hasUncommitted({ git, saving, index, commit }: Module): Promise<boolean | Problem> {
  const snapshot = await folderTree({ git: saving, index })
  if (isProblem(snapshot)) return snapshot
  const committed = await treeOf(git, commit)
  return isProblem(committed) ? committed : committed !== snapshot.tree || snapshot.unnamed.length > 0
}

/** Lists commits that a repository has, so that they are not taken again. */
async function tipsOf(git: Git): Promise<readonly Commit[] | Problem> {
  const output = await git.run(['rev-parse', '--revs-only', 'HEAD', '--branches', '--remotes'])
  return isProblem(output) ? output : ([...new Set(output.split('\n').filter(Boolean))].slice(0, TIPS_MAX) as Commit[])
}

const TIPS_MAX = 200
