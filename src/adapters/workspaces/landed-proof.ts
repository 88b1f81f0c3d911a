import type { AttemptSpec } from '../../core/model/attempt.ts'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { commitOf, isAncestor, treeOf } from '../../git/history.ts'
import { mergeTrees } from '../../git/merge.ts'
import { refs } from '../../git/names.ts'
import type { WorkspaceContext } from './context.ts'

/** Checks in git that an attempt's commit, or all its changes, are on the landing line; null when they are. */
export async function landedProblem(
  { repository }: WorkspaceContext,
  spec: AttemptSpec,
  commit: Commit,
  line: Commit | null,
): Promise<Problem | null> {
  const { git } = repository
  if (line === null) return notLanded(spec, commit)
  const isThere = await isAncestor(git, commit, line)
  if (isProblem(isThere)) return isThere
  if (isThere) return null
  const isSquashed = await wasSquashed(git, spec, commit, line)
  if (isProblem(isSquashed)) return isSquashed
  return isSquashed ? null : notLanded(spec, commit)
}

/** True when a landed commit has a commit in its history, or all its changes. */
export async function hasLandedAs(git: Git, commit: Commit, landed: Commit): Promise<boolean | Problem> {
  const isThere = await isAncestor(git, commit, landed)
  if (isThere !== false) return isThere
  const hasAll = await addsNothing(git, commit, landed, landed)
  if (hasAll !== false) return hasAll
  // Changes of others beside its own can conflict with the squashed commit, but not with its parent.
  const before = await commitOf(git, `${landed}^`)
  if (isProblem(before)) return before
  return before !== null && addsNothing(git, commit, before, landed)
}

// A squashed landing names the attempt, and merging the commit once more into its parent gives the same tree.
async function wasSquashed(git: Git, spec: AttemptSpec, commit: Commit, line: Commit): Promise<boolean | Problem> {
  const search = ['--fixed-strings', `--grep=Attempt: ${spec.attempt}`, '--format=%H', `${spec.base}..${line}`, '--']
  const output = await git.run(['log', ...search])
  if (isProblem(output)) return output
  for (const landed of output.split('\n').filter((hash) => hash !== '') as Commit[]) {
    const isSquash = await addsNothing(git, commit, `${landed}^` as Commit, landed)
    if (isSquash !== false) return isSquash
  }
  return false
}

/** True when merging a commit into a base gives no more than the landed commit has. */
async function addsNothing(git: Git, commit: Commit, base: Commit, landed: Commit): Promise<boolean | Problem> {
  const merged = await mergeTrees(git, base, commit)
  if (isProblem(merged)) return merged
  const tree = await treeOf(git, landed)
  if (isProblem(tree)) return tree
  return merged.kind === 'clean' && merged.tree === tree
}

function notLanded({ attempt, target }: AttemptSpec, commit: Commit): Problem {
  return problem({
    code: 'not-landed',
    message: `The workspace of ${attempt} was not removed: ${commit.slice(0, 10)} is not on the landing line of ${target}.`,
    hint: `See what is on the line: git log ${refs.line(target)}`,
    retry: 'never',
  })
}
