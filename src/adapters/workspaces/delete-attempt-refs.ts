import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { isIn } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, type Ref, type RefChange } from '../../git/refs.ts'
import type { OwnRefs } from './attempt-refs.ts'
import type { WorkspaceContext } from './context.ts'
import { keepCommitAt } from './keep-commit-at.ts'

/** Forgets an attempt's refs, all of whose work a kept commit has; null: its branch is what keeps the work. */
export async function deleteAttemptRefs(
  context: WorkspaceContext,
  attempt: AttemptId,
  { branch, pin, base }: OwnRefs,
  kept: Commit | null,
): Promise<Problem | null> {
  const { git } = context.repository
  const keeper = kept ?? branch?.commit ?? null
  const saved = pin === undefined ? null : await saveTip(context, attempt, pin.commit, keeper)
  if (isProblem(saved)) return saved
  const isOver = kept === null ? false : await isFinished(context, branch, pin, kept)
  if (isProblem(isOver)) return isOver
  const over = [pin, base, isOver ? branch : undefined]
  const changes: readonly RefChange[] = over.flatMap((ref) => (ref === undefined ? [] : [gone(ref)]))
  const changed = await changeRefs(git, changes)
  // Somebody moved the branch in this moment: then it is theirs.
  const settled =
    changed === 'moved'
      ? await changeRefs(
          git,
          changes.filter(({ ref }) => ref !== branch?.name),
        )
      : changed
  return isProblem(settled) ? settled : null
}

function gone({ name, commit }: Ref): RefChange {
  return { ref: name, to: null, from: commit }
}

async function saveTip(
  context: WorkspaceContext,
  attempt: AttemptId,
  tip: Commit,
  keeper: Commit | null,
): Promise<Problem | null> {
  const isKept = keeper === null ? false : await isIn(context.repository.git, tip, keeper)
  if (isProblem(isKept)) return isKept
  const saved = isKept ? null : await keepCommitAt(context, refs.salvage(attempt, 'checkpoint'), tip)
  return isProblem(saved) ? saved : null
}

// A branch that a person has checked out, or that has commits of theirs, stays.
async function isFinished(
  { repository }: WorkspaceContext,
  branch: Ref | undefined,
  pin: Ref | undefined,
  kept: Commit,
): Promise<boolean | Problem> {
  if (branch === undefined || branch.checkedOutIn !== null) return false
  return branch.commit === pin?.commit || isIn(repository.git, branch.commit, kept)
}
