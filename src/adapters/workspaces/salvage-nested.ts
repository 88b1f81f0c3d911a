import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import { makeCommit } from '../../git/commit.ts'
import { folderTree, gitlinksIn, resetIndex } from '../../git/folder-tree.ts'
import { commitOf, treeOf } from '../../git/history.ts'
import { refs, safeName } from '../../git/names.ts'
import { savingGit } from './clone-git.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { keepCommitAt } from './keep-commit-at.ts'
import { type NestedRepository, nestedAt } from './nested-repository.ts'
import { hasUncommitted } from './save-modules.ts'
import { type Module, modulesOf, wholeTree } from './submodules.ts'
import { takeOut } from './take.ts'

/** Saves nested repositories, each under its own ref; a problem when one cannot be saved. */
export async function salvageNested(
  context: WorkspaceContext,
  clone: ClonePaths,
  attempt: AttemptId,
  nested: readonly string[],
): Promise<readonly string[] | Problem> {
  if (nested.length === 0) return []
  const modules = await modulesOf(context, clone, wholeTree(context, clone))
  if (isProblem(modules)) return modules
  const kept: string[] = []
  const left = [...nested]
  for (let path = left.shift(); path !== undefined; path = left.shift()) {
    const saved = await salvageOne(context, clone, attempt, path, modules)
    if (isProblem(saved)) return unsaved(clone, path, saved)
    if (saved === null) continue
    kept.push(saved.ref)
    left.push(...saved.inside)
  }
  return kept
}

interface NestedSaved {
  readonly ref: string
  /** Repositories nested inside this one. */
  readonly inside: readonly string[]
}

async function salvageOne(
  context: WorkspaceContext,
  clone: ClonePaths,
  attempt: AttemptId,
  path: string,
  modules: readonly Module[],
): Promise<NestedSaved | null | Problem> {
  const repository = await nestedAt(context, clone, join(clone.tree, path))
  if (repository === null || isProblem(repository)) return repository
  const { head } = repository
  const module = modules.find((one) => one.path === path)
  const isKnown = module !== undefined && head !== null && (await userHas(module, head))
  if (isProblem(isKnown)) return isKnown
  if (isKnown) return null
  return saveFolder(context, clone, attempt, path, repository)
}

async function userHas(module: Module, head: Commit): Promise<boolean | Problem> {
  const known = await commitOf(module.git, head)
  if (isProblem(known)) return known
  if (known === null) return false
  const isDirty = await hasUncommitted({ ...module, commit: head })
  return isProblem(isDirty) ? isDirty : !isDirty
}

async function saveFolder(
  context: WorkspaceContext,
  clone: ClonePaths,
  attempt: AttemptId,
  path: string,
  { head, objects }: NestedRepository,
): Promise<NestedSaved | Problem> {
  const { git, identity } = context.repository
  const saving = savingGit(context, clone, join(clone.tree, path), objects)
  const index = `${clone.index}-nested-${safeName(path)}`
  await rm(index, { force: true })
  const reset = head === null ? null : await resetIndex(saving, index, head)
  if (reset !== null) return reset
  const snapshot = await folderTree({ git: saving, index })
  if (isProblem(snapshot)) return snapshot
  const wanted = head === null ? [snapshot.tree] : [snapshot.tree, head]
  const failed = await takeOut(clone, { from: saving, to: git, wanted, known: [] })
  if (failed !== null) return failed
  const links = await gitlinksIn(saving, index, [])
  if (isProblem(links)) return links
  const headTree = head === null ? null : await treeOf(git, head)
  if (isProblem(headTree)) return headTree
  const message = `${path} of ${attempt}, a repository of its own\n\nAttempt: ${attempt}\n`
  const parents = head === null ? [] : [head]
  const isClean = head !== null && headTree === snapshot.tree
  const commit = isClean ? head : await makeCommit(git, identity, { tree: snapshot.tree, parents, message })
  if (isProblem(commit)) return commit
  const ref = await keepCommitAt(context, refs.salvage(attempt, path), commit)
  if (isProblem(ref)) return ref
  return { ref, inside: [...links.map((link) => link.path), ...snapshot.unnamed].map((inner) => join(path, inner)) }
}

function unsaved(clone: ClonePaths, path: string, cause: Problem): Problem {
  if (cause.code !== 'git-failed') return cause
  return problem({
    code: 'nested-unsaved',
    message: `The nested git repository ${path} in ${clone.tree} could not be saved: ${cause.message}`,
    hint: 'Copy what you need from it, remove its .git folder, then retry the task.',
    retry: 'person',
    cause,
  })
}
