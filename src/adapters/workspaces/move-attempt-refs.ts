import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { isIn } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, type Ref, type RefChange, readRefs } from '../../git/refs.ts'

/** The refs of an attempt as they are now. */
export function readPinAndBranch(git: Git, attempt: AttemptId): Promise<Shown | Problem> {
  return readRefs(git, [refs.attempt(attempt), refs.branch(attempt)])
}

type Shown = ReadonlyMap<string, Ref>

/** Pins an attempt's commit, and moves its branch there unless a person has it checked out or moved it. */
export async function moveAttemptRefs(
  git: Git,
  attempt: AttemptId,
  commit: Commit,
  before: Shown | Problem,
): Promise<Problem | null> {
  let found = before
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const shown = isProblem(found) ? found : await tryToMove(git, attempt, commit, found)
    if (shown !== 'moved') return shown === 'changed' ? null : shown
    found = await readPinAndBranch(git, attempt)
  }
  const message = `The refs of ${attempt} were moved again and again while it was being saved.`
  return problem({ code: 'refs-moving', message, hint: 'See what else works in the repository.', retry: 'later' })
}

const TRIES_MAX = 5

async function tryToMove(
  git: Git,
  attempt: AttemptId,
  commit: Commit,
  found: Shown,
): Promise<'changed' | 'moved' | Problem> {
  const [pin, branch] = [refs.attempt(attempt), refs.branch(attempt)]
  const [pinned, shown] = [found.get(pin), found.get(branch)]
  const isOurs = await mayMove(git, shown, pinned, commit)
  if (isProblem(isOurs)) return isOurs
  const changes: readonly RefChange[] = [
    { ref: pin, to: commit, from: pinned?.commit ?? null },
    ...(isOurs ? [{ ref: branch, to: commit, from: shown?.commit ?? null }] : []),
  ]
  return changeRefs(
    git,
    changes.filter(({ ref }) => found.get(ref)?.commit !== commit),
  )
}

async function mayMove(
  git: Git,
  shown: Ref | undefined,
  pinned: Ref | undefined,
  commit: Commit,
): Promise<boolean | Problem> {
  if (shown === undefined) return true
  if (shown.checkedOutIn !== null) return false
  return shown.commit === pinned?.commit || isIn(git, shown.commit, commit)
}
