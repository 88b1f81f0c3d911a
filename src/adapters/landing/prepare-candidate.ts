import type { CandidateOrder, LandingSubject } from '../../core/model/effect.ts'
import type { Commit, LandingId, Tree } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import { makeCommit } from '../../git/commit.ts'
import { isIn, treeOf } from '../../git/history.ts'
import { mergeTrees } from '../../git/merge.ts'
import { refs } from '../../git/names.ts'
import { changeRefs } from '../../git/refs.ts'
import type { GitRepository } from '../../git/repository.ts'
import type { Conflict, LandingHeld, Prepared } from '../../ports/landing.ts'
import { lineWithTarget } from './line-with-target.ts'
import { ownWork } from './own-work.ts'

/** Merges a subject into the line with the user's new commits; the result is pinned, and on no branch. */
export async function prepareCandidate(
  repository: GitRepository,
  landing: LandingId,
  subject: LandingSubject,
  order: CandidateOrder,
): Promise<Prepared | Conflict | LandingHeld | Problem> {
  const found = await lineWithTarget(repository, order)
  if (found.kind !== 'base') return found
  const { line, base, target } = found
  const made = await candidate(repository, subject, order, base)
  if (made.kind !== 'candidate') return made
  const { commit, tree } = made
  const pinned = await changeRefs(repository.git, [{ ref: refs.candidate(landing), to: commit }])
  return isProblem(pinned) ? pinned : { kind: 'prepared', line, base, commit, tree, target }
}

interface Candidate {
  readonly kind: 'candidate'
  readonly commit: Commit
  readonly tree: Tree
}

async function candidate(
  repository: GitRepository,
  subject: LandingSubject,
  { mode, message }: CandidateOrder,
  base: Commit,
): Promise<Candidate | Conflict | Problem> {
  const { git, identity } = repository
  const theirs = await whatToMerge(repository, subject, base)
  if (isProblem(theirs)) return theirs
  if (theirs === null) return unchanged(repository, base)
  const merged = await mergeTrees(git, base, theirs)
  if (isProblem(merged)) return merged
  if (merged.kind === 'conflict') return { kind: 'conflict', line: base, files: merged.files }
  const keepsHistory = mode === 'merge' && subject.kind === 'attempt'
  if (!keepsHistory) {
    const same = await unchanged(repository, base)
    if (isProblem(same) || same.tree === merged.tree) return same
  }
  const parents = keepsHistory ? [base, subject.commit] : [base]
  const commit = await makeCommit(git, identity, { tree: merged.tree, parents, message })
  return isProblem(commit) ? commit : { kind: 'candidate', commit, tree: merged.tree }
}

/** The commit that brings the subject in; null when the line has it already. */
async function whatToMerge(
  repository: GitRepository,
  subject: LandingSubject,
  base: Commit,
): Promise<Commit | null | Problem> {
  if (subject.kind === 'sync') return null
  if (subject.kind === 'attempt') return ownWork(repository.git, subject.attempt, base, subject.commit)
  const isThere = await isIn(repository.git, subject.commit, base)
  if (isProblem(isThere)) return isThere
  return isThere ? undoing(repository, subject.commit) : notOnLine(subject.commit)
}

async function unchanged({ git }: GitRepository, base: Commit): Promise<Candidate | Problem> {
  const tree = await treeOf(git, base)
  return isProblem(tree) ? tree : { kind: 'candidate', commit: base, tree }
}

// A commit after the landed one with the files from before it: merging that takes exactly this landing back.
async function undoing({ git, identity }: GitRepository, landed: Commit): Promise<Commit | Problem> {
  const before = await treeOf(git, `${landed}^1` as Commit)
  if (isProblem(before)) return before
  return makeCommit(git, identity, { tree: before, parents: [landed], message: `Undo ${landed}\n` })
}

function notOnLine(commit: Commit): Problem {
  const message = `${commit.slice(0, 10)} is not on the landing line, so it cannot be reverted there.`
  return problem({ code: 'not-landed', message, hint: 'Revert it by hand: git revert', retry: 'never' })
}
