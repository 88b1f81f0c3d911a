import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { isAncestor } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, type Ref, type RefChange } from '../../git/refs.ts'
import type { OwnRefs } from './attempt-refs.ts'
import type { WorkspaceContext } from './context.ts'
import { keepCommitAt } from './keep-commit-at.ts'
import { hasLandedAs } from './landed-proof.ts'

/** Deletes the refs of an attempt whose work is in a kept commit; null: the branch keeps the work, and stays. */
export async function deleteAttemptRefs(
  context: WorkspaceContext,
  attempt: AttemptId,
  { branch, pin, base }: OwnRefs,
  kept: Commit | null,
): Promise<Problem | null> {
  const { git } = context.repository
  const isKept = pin === undefined ? true : await isKeptBy(git, pin.commit, { kept, branch })
  if (isProblem(isKept)) return isKept
  const saved =
    pin === undefined || isKept ? null : await keepCommitAt(context, refs.salvage(attempt, 'checkpoint'), pin.commit)
  if (isProblem(saved)) return saved
  const isBranchDone = kept === null ? false : await canDeleteBranch(context, branch, pin, kept)
  if (isProblem(isBranchDone)) return isBranchDone
  const deleted = [pin, base, isBranchDone ? branch : undefined]
  const changes: readonly RefChange[] = deleted.flatMap((ref) => (ref === undefined ? [] : [deletion(ref)]))
  const changed = await changeRefs(git, changes)
  // Another process has just moved the branch, so it stays.
  const settled =
    changed === 'outdated'
      ? await changeRefs(
          git,
          changes.filter(({ ref }) => ref !== branch?.name),
        )
      : changed
  return isProblem(settled) ? settled : null
}

function deletion({ name, commit }: Ref): RefChange {
  return { ref: name, to: null, from: commit }
}

async function isKeptBy(
  git: Git,
  tip: Commit,
  { kept, branch }: { readonly kept: Commit | null; readonly branch: Ref | undefined },
): Promise<boolean | Problem> {
  if (kept !== null) return hasLandedAs(git, tip, kept)
  return branch === undefined ? false : isAncestor(git, tip, branch.commit)
}

// A branch that is checked out, or has commits of a person, stays.
async function canDeleteBranch(
  { repository }: WorkspaceContext,
  branch: Ref | undefined,
  pin: Ref | undefined,
  kept: Commit,
): Promise<boolean | Problem> {
  if (branch === undefined || branch.checkedOutIn !== null) return false
  return branch.commit === pin?.commit || isAncestor(repository.git, branch.commit, kept)
}
