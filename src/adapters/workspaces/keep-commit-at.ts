import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { makeCommit } from '../../git/commit.ts'
import { treeOf } from '../../git/history.ts'
import { changeRefs, readRefs } from '../../git/refs.ts'
import type { WorkspaceContext } from './context.ts'

/** Makes a ref hold a commit in addition to what it holds already; returns the ref. */
export async function keepCommitAt(context: WorkspaceContext, ref: string, commit: Commit): Promise<string | Problem> {
  const { git } = context.repository
  const existing = await readRefs(git, [ref])
  if (isProblem(existing)) return existing
  const before = existing.get(ref)?.commit ?? null
  const wanted = before === null ? commit : await mergeOf(context, commit, before)
  if (isProblem(wanted)) return wanted
  const changed = wanted === before ? 'changed' : await changeRefs(git, [{ ref, to: wanted }])
  return isProblem(changed) ? changed : ref
}

async function mergeOf({ repository }: WorkspaceContext, commit: Commit, before: Commit): Promise<Commit | Problem> {
  const { git, identity } = repository
  const [tree, treeBefore] = [await treeOf(git, commit), await treeOf(git, before)]
  if (isProblem(tree)) return tree
  if (isProblem(treeBefore)) return treeBefore
  if (tree === treeBefore) return before
  const message = 'More work that no checkpoint has\n'
  return makeCommit(git, identity, { tree, parents: [commit, before], message })
}
