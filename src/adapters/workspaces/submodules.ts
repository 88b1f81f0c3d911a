import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { gitlinksIn } from '../../git/folder-tree.ts'
import { type Git, splitNul } from '../../git/git.ts'
import { commitOf } from '../../git/history.ts'
import { safeName } from '../../git/names.ts'
import { type Setting, settingsText } from '../../git/settings.ts'
import { makeSharedClone } from '../../git/shared-clone.ts'
import { gitDirOf } from '../../git/worktrees.ts'
import { insideGit, missing } from './clone-git.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { installIndex } from './install-index.ts'
import { runInside } from './run-inside.ts'
import { makeTakeFolder } from './take.ts'

/** A tree that may hold submodules, and the user's copy of it. */
export interface ModuleTree {
  readonly folder: string
  readonly index: string
  /** User's repository of this tree. */
  readonly gitDir: string
  readonly checkout: string
  /** Git folder of ours for work on it. */
  readonly take: string
}

/** A submodule that the user has checked out or fetched. */
export interface Module extends ModuleTree {
  readonly name: string
  readonly path: string
  /** Commit in the tree's index. */
  readonly commit: Commit
  /** Git in the user's repository of the submodule. */
  readonly git: Git
  /** Git inside the clone, with our git folder of the submodule and its files as work tree. */
  readonly saving: Git
}

/** Returns the tree of a clone itself. */
export function wholeTree({ repository }: WorkspaceContext, clone: ClonePaths): ModuleTree {
  const { gitDir, checkout } = repository
  return { folder: clone.tree, index: clone.index, gitDir, checkout, take: clone.take }
}

/** Fills the submodules of a tree from the user's repositories on this machine. */
export async function fillModules(
  context: WorkspaceContext,
  clone: ClonePaths,
  tree: ModuleTree,
  settings: readonly Setting[],
  signal: AbortSignal,
): Promise<Problem | null> {
  const modules = await modulesOf(context, clone, tree)
  if (isProblem(modules)) return modules
  for (const module of modules) {
    const failed = await fill(context, clone, { tree, module }, settings, signal)
    if (failed !== null) return failed
  }
  return null
}

/** Lists the submodules of a tree that the user has. */
export async function modulesOf(
  context: WorkspaceContext,
  clone: ClonePaths,
  tree: ModuleTree,
): Promise<readonly Module[] | Problem> {
  if (!lstatSync(join(tree.folder, '.gitmodules'), { throwIfNoEntry: false })?.isFile()) return []
  const git = moduleGit(context, clone, tree)
  const listing = ['config', '-z', '--file', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$']
  const answer = await git.ask(listing)
  if ('kind' in answer) return answer
  const declared = splitNul(answer.stdout).map((entry) => entry.split('\n') as [string, string])
  if (declared.length === 0) return []
  const links = await gitlinksIn(
    git,
    tree.index,
    declared.map(([, path]) => path),
  )
  if (isProblem(links)) return links
  const modules = declared.flatMap(([key, path]) => {
    const commit = links.find((link) => link.path === path)?.commit
    const name = key.slice('submodule.'.length, -'.path'.length)
    return commit === undefined ? [] : moduleAt(context, clone, tree, { name, path, commit })
  })
  for (const { take, gitDir } of modules) {
    const failed = await makeTakeFolder(context, take, gitDir)
    if (failed !== null) return failed
  }
  return modules
}

function moduleGit(context: WorkspaceContext, clone: ClonePaths, { folder, gitDir, take }: ModuleTree): Git {
  const borrowed = [join(gitDir, 'objects')]
  return insideGit(context, clone).at({ folder, gitDir: take, workTree: folder, objects: clone.objects, borrowed })
}

function moduleAt(
  context: WorkspaceContext,
  clone: ClonePaths,
  tree: ModuleTree,
  { name, path, commit }: Pick<Module, 'name' | 'path' | 'commit'>,
): readonly Module[] {
  const checkout = join(tree.checkout, path)
  const kept = join(tree.gitDir, 'modules', name)
  const isKept = !name.split('/').includes('..') && existsSync(join(kept, 'HEAD'))
  const gitDir = gitDirOf(checkout) ?? (isKept ? kept : null)
  if (gitDir === null) return []
  const folder = join(tree.folder, path)
  const index = `${tree.index}-${safeName(path)}`
  const own = { folder, index, gitDir, checkout, take: join(tree.take, 'modules', safeName(path)) }
  const git = context.repository.git.at({ folder: gitDir, gitDir })
  return [{ name, path, commit, ...own, git, saving: moduleGit(context, clone, own) }]
}

async function fill(
  context: WorkspaceContext,
  clone: ClonePaths,
  { tree, module }: { readonly tree: ModuleTree; readonly module: Module },
  settings: readonly Setting[],
  signal: AbortSignal,
): Promise<Problem | null> {
  const { name, path, commit, folder, index, gitDir } = module
  const known = await commitOf(module.git, commit)
  if (isProblem(known)) return known
  if (known === null) {
    context.note(
      `The submodule ${path} is empty in the workspace: commit ${commit.slice(0, 10)} is not on this machine. Fetch it: git submodule update --init ${path}`,
    )
    return null
  }
  const { objectFormat } = context.repository
  const order = { out: module.saving, sourceDir: gitDir, objectFormat, folder, commit, branch: null, settings, index }
  const failed =
    unreal(clone, folder) ??
    (await makeSharedClone({ ...order, signal })) ??
    (await installIndex(context, clone, index, folder))
  if (failed !== null) return failed
  const registered = [
    { key: `submodule.${name}.url`, value: gitDir },
    { key: `submodule.${name}.active`, value: 'true' },
  ]
  const script = 'cat >> "$1/.git/config"'
  const appended = await runInside(context, clone, { script, args: [tree.folder], input: settingsText(registered) })
  return isProblem(appended) ? appended : fillModules(context, clone, module, settings, signal)
}

// A filter of the repository's may have run in the tree already, and left a link.
function unreal(clone: ClonePaths, folder: string): Problem | null {
  let place = folder
  while (!existsSync(place)) place = dirname(place)
  const isReal = realpathSync(place) === join(realpathSync(clone.root), relative(clone.root, place))
  return isReal ? null : missing(clone, folder)
}
