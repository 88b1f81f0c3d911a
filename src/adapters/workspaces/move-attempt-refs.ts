import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { isAncestor } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, type Ref, type RefChange, readRefs } from '../../git/refs.ts'

/** Reads an attempt's pin and branch. */
export function readPinAndBranch(git: Git, attempt: AttemptId): Promise<PinAndBranch | Problem> {
  return readRefs(git, [refs.attempt(attempt), refs.branch(attempt)])
}

type PinAndBranch = ReadonlyMap<string, Ref>

/** Moves an attempt's pin to a commit, and its branch unless a person has it checked out or moved it. */
export async function moveAttemptRefs(
  git: Git,
  attempt: AttemptId,
  commit: Commit,
  before: PinAndBranch | Problem,
): Promise<Problem | null> {
  let current = before
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const moved = isProblem(current) ? current : await tryToMove(git, attempt, commit, current)
    if (moved !== 'outdated') return moved === 'changed' ? null : moved
    current = await readPinAndBranch(git, attempt)
  }
  const message = `${attempt} could not be saved: another program keeps moving its refs.`
  return problem({
    code: 'refs-moving',
    message,
    hint: 'Stop what else writes to the repository; saving is tried again.',
    retry: 'later',
  })
}

const TRIES_MAX = 5

async function tryToMove(
  git: Git,
  attempt: AttemptId,
  commit: Commit,
  current: PinAndBranch,
): Promise<'changed' | 'outdated' | Problem> {
  const [pin, branch] = [refs.attempt(attempt), refs.branch(attempt)]
  const [pinRef, branchRef] = [current.get(pin), current.get(branch)]
  const isOurs = await mayMove(git, branchRef, pinRef, commit)
  if (isProblem(isOurs)) return isOurs
  const changes: readonly RefChange[] = [
    { ref: pin, to: commit, from: pinRef?.commit ?? null },
    ...(isOurs ? [{ ref: branch, to: commit, from: branchRef?.commit ?? null }] : []),
  ]
  return changeRefs(
    git,
    changes.filter(({ ref }) => current.get(ref)?.commit !== commit),
  )
}

async function mayMove(
  git: Git,
  branchRef: Ref | undefined,
  pinRef: Ref | undefined,
  commit: Commit,
): Promise<boolean | Problem> {
  if (branchRef === undefined) return true
  if (branchRef.checkedOutIn !== null) return false
  return branchRef.commit === pinRef?.commit || isAncestor(git, branchRef.commit, commit)
}
