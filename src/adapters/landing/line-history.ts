import type { LandingSubject } from '../../core/model/effect.ts'
import type { Commit } from '../../core/model/ids.ts'
import type { LineChange } from '../../core/model/landed-work.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { type RevertConflict, tasksInTheWay } from '../../core/run/revert-conflict.ts'
import type { Git } from '../../git/git.ts'
import { commitOf } from '../../git/history.ts'
import { lineChanges } from '../../git/line-changes.ts'
import { refs } from '../../git/names.ts'

/** Lists the commits of a target's line from one of them on, newest first. */
export async function changesSince(git: Git, target: string, from: Commit): Promise<readonly LineChange[] | Problem> {
  const line = await commitOf(git, refs.line(target))
  if (isProblem(line)) return line
  return lineChanges(git, from, line ?? refs.head(target))
}

/** Finds the landed tasks whose changes stand in the way of a revert. */
export async function revertConflict(
  git: Git,
  { task, commit }: Extract<LandingSubject, { kind: 'revert' }>,
  base: Commit,
  files: readonly string[],
): Promise<RevertConflict | Problem> {
  const changes = await lineChanges(git, commit, base)
  if (isProblem(changes)) return changes
  const secondParent = await commitOf(git, `${commit}^2`)
  if (isProblem(secondParent)) return secondParent
  return { files, changedBy: tasksInTheWay(changes, task, files), options: secondParent === null ? '' : '-m 1 ' }
}
