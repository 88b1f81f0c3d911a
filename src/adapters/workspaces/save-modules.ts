import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AttemptId } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { ChangedFile } from '../../git/changed-files.ts'
import { fetchFrom } from '../../git/fetch.ts'
import { folderTree } from '../../git/folder-tree.ts'
import { treeOf } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { changeRefs } from '../../git/refs.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { type Module, modulesOf } from './submodules.ts'

/** Copies new commits of submodules to the user's repositories; returns nested repositories whose state no commit holds. */
export async function saveModules(
  context: WorkspaceContext,
  attempt: AttemptId,
  { tree, index }: ClonePaths,
  changed: readonly ChangedFile[],
): Promise<readonly string[] | Problem> {
  const { gitDir, checkout } = context.repository
  const modules = await modulesOf(context, { folder: tree, index, gitDir, checkout })
  if (isProblem(modules)) return modules
  const known = new Set(modules.map(({ path }) => path))
  const unsaved = changed.filter(({ path, gitlink }) => gitlink !== null && !known.has(path)).map(({ path }) => path)
  const moved = new Set(changed.flatMap(({ path, gitlink }) => (gitlink === null ? [] : [path])))
  for (const module of modules.filter(({ folder }) => existsSync(join(folder, '.git')))) {
    const failed = moved.has(module.path) ? await fetchCommit(module, attempt) : null
    if (failed !== null) return failed
    const isDirty = await hasUncommitted(module)
    if (isProblem(isDirty)) return isDirty
    if (isDirty) unsaved.push(module.path)
  }
  return unsaved
}

async function fetchCommit({ git, folder, commit }: Module, attempt: AttemptId): Promise<Problem | null> {
  const failed = await fetchFrom(git, join(folder, '.git'), 'HEAD')
  if (failed !== null) return failed
  const pinned = await changeRefs(git, [{ ref: refs.attempt(attempt), to: commit }])
  return isProblem(pinned) ? pinned : null
}

/** True when a submodule has changes that are not in its commit. */
export async function hasUncommitted({ git, index, commit }: Module): Promise<boolean | Problem> {
  const snapshot = await folderTree({ git, index })
  if (isProblem(snapshot)) return snapshot
  const committed = await treeOf(git, commit)
  return isProblem(committed) ? committed : committed !== snapshot.tree || snapshot.unnamed.length > 0
}
