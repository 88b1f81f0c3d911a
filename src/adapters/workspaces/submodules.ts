import { existsSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { gitlinksIn } from '../../git/folder-tree.ts'
import { type Git, splitNul } from '../../git/git.ts'
import { withFiles } from '../../git/git-problem.ts'
import { commitOf } from '../../git/history.ts'
import { safeName } from '../../git/names.ts'
import { type Setting, settingsText } from '../../git/settings.ts'
import { makeSharedClone } from '../../git/shared-clone.ts'
import { gitDirOf } from '../../git/worktrees.ts'
import type { WorkspaceContext } from './context.ts'

/** A tree that may hold submodules, and the user's copy of it. */
export interface ModuleTree {
  readonly folder: string
  readonly index: string
  /** User's repository of this tree. */
  readonly gitDir: string
  readonly checkout: string
}

/** A submodule that the user has checked out or fetched. */
export interface Module extends ModuleTree {
  readonly name: string
  readonly path: string
  /** Commit in the tree's index. */
  readonly commit: Commit
  /** Git in the user's repository of the submodule, with our copy as its work tree. */
  readonly git: Git
}

/** Fills the submodules of a tree from the user's repositories on this machine. */
export async function fillModules(
  context: WorkspaceContext,
  tree: ModuleTree,
  settings: readonly Setting[],
  signal: AbortSignal,
): Promise<Problem | null> {
  const modules = await modulesOf(context, tree)
  if (isProblem(modules)) return modules
  for (const module of modules) {
    const failed = await fill(context, tree, module, settings, signal)
    if (failed !== null) return failed
  }
  return null
}

/** Lists the submodules of a tree that the user has. */
export async function modulesOf(context: WorkspaceContext, tree: ModuleTree): Promise<readonly Module[] | Problem> {
  if (!existsSync(join(tree.folder, '.gitmodules'))) return []
  const git = context.repository.git.at({ folder: tree.folder, gitDir: tree.gitDir, workTree: tree.folder })
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
  return declared.flatMap(([key, path]) => {
    const commit = links.find((link) => link.path === path)?.commit
    const name = key.slice('submodule.'.length, -'.path'.length)
    return commit === undefined ? [] : moduleAt(git, tree, name, path, commit)
  })
}

function moduleAt(git: Git, tree: ModuleTree, name: string, path: string, commit: Commit): readonly Module[] {
  const checkout = join(tree.checkout, path)
  const kept = join(tree.gitDir, 'modules', name)
  const isKept = !name.split('/').includes('..') && existsSync(join(kept, 'HEAD'))
  const gitDir = gitDirOf(checkout) ?? (isKept ? kept : null)
  if (gitDir === null) return []
  const folder = join(tree.folder, path)
  const index = `${tree.index}-${safeName(path)}`
  return [{ name, path, commit, folder, index, gitDir, checkout, git: git.at({ folder, gitDir, workTree: folder }) }]
}

async function fill(
  context: WorkspaceContext,
  tree: ModuleTree,
  module: Module,
  settings: readonly Setting[],
  signal: AbortSignal,
): Promise<Problem | null> {
  const { name, path, commit, folder, index, gitDir } = module
  const source = module.git.at({ folder: gitDir, gitDir })
  const known = await commitOf(source, commit)
  if (isProblem(known)) return known
  if (known === null) {
    context.note(
      `The submodule ${path} is empty in the workspace: commit ${commit.slice(0, 10)} is not on this machine. Fetch it: git submodule update --init ${path}`,
    )
    return null
  }
  const { objectFormat } = context.repository
  const order = { source, sourceDir: gitDir, objectFormat, folder, commit, branch: null, settings, index, signal }
  const failed = await makeSharedClone(order)
  if (failed !== null) return failed
  const registered = [
    { key: `submodule.${name}.url`, value: gitDir },
    { key: `submodule.${name}.active`, value: 'true' },
  ]
  const config = join(tree.folder, '.git', 'config')
  const unwritten = await withFiles(config, () => appendFile(config, settingsText(registered)))
  return unwritten ?? fillModules(context, module, settings, signal)
}
