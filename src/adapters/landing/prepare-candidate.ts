import type { CandidateOrder, LandingSubject } from '../../core/model/effect.ts'
import type { AttemptId, Commit, LandingId, Tree } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import { makeCommit } from '../../git/commit.ts'
import { type Git, splitNul } from '../../git/git.ts'
import { areRelated, isAncestor, treeOf } from '../../git/history.ts'
import { mergeTrees } from '../../git/merge.ts'
import { refs } from '../../git/names.ts'
import { changeRefs } from '../../git/refs.ts'
import type { GitRepository } from '../../git/repository.ts'
import type { Conflict, LandingHeld, Prepared } from '../../ports/landing.ts'
import { revertConflict } from './line-history.ts'
import { findCandidateBase } from './merge-line-with-target.ts'

/** Merges a subject into the line and the user's new commits, as a pinned commit on no branch. */
export async function prepareCandidate(
  repository: GitRepository,
  landing: LandingId,
  subject: LandingSubject,
  order: CandidateOrder,
): Promise<Prepared | Conflict | LandingHeld | Problem> {
  const start = await findCandidateBase(repository, order)
  if (start.kind !== 'base') return start
  const { line, base, target } = start
  const candidate = await mergeCandidate(repository, subject, order, base)
  if (candidate.kind !== 'candidate') return candidate
  const { commit, tree } = candidate
  const pinned = await changeRefs(repository.git, [{ ref: refs.candidate(landing), to: commit }])
  return isProblem(pinned) ? pinned : { kind: 'prepared', line, base, commit, tree, target }
}

interface Candidate {
  readonly kind: 'candidate'
  readonly commit: Commit
  readonly tree: Tree
}

async function mergeCandidate(
  repository: GitRepository,
  subject: LandingSubject,
  { mode, message }: CandidateOrder,
  base: Commit,
): Promise<Candidate | Conflict | Problem> {
  const { git, identity } = repository
  const theirs = await commitToMerge(repository, subject, base)
  if (isProblem(theirs)) return theirs
  if (theirs === null) return unchanged(repository, base)
  const merged = await mergeTrees(git, base, theirs)
  if (isProblem(merged)) return whyNotMerged(git, subject, base, merged)
  if (merged.kind === 'conflict') return conflict(git, subject, base, merged.files)
  const keepsHistory = mode === 'merge' && subject.kind === 'attempt'
  if (!keepsHistory) {
    const same = await unchanged(repository, base)
    if (isProblem(same) || same.tree === merged.tree) return same
  }
  const parents = keepsHistory ? [base, subject.commit] : [base]
  const commit = await makeCommit(git, identity, { tree: merged.tree, parents, message })
  return isProblem(commit) ? commit : { kind: 'candidate', commit, tree: merged.tree }
}

/** Explains a failed merge: work of an attempt may build on a history that the user replaced as a whole. */
async function whyNotMerged(git: Git, subject: LandingSubject, base: Commit, failed: Problem): Promise<Problem> {
  if (subject.kind !== 'attempt') return failed
  const isRelated = await areRelated(git, base, subject.commit)
  return isRelated === false ? buildsOnDropped(subject.attempt, 'a first commit') : failed
}

async function conflict(
  git: Git,
  subject: LandingSubject,
  base: Commit,
  files: readonly string[],
): Promise<Conflict | Problem> {
  const revert = subject.kind === 'revert' ? await revertConflict(git, subject, base, files) : null
  return isProblem(revert) ? revert : { kind: 'conflict', line: base, files, revert }
}

/** Returns the commit to merge, or null when the base has it already. */
async function commitToMerge(
  repository: GitRepository,
  subject: LandingSubject,
  base: Commit,
): Promise<Commit | null | Problem> {
  if (subject.kind === 'sync') return null
  if (subject.kind === 'attempt') return attemptCommitToMerge(repository.git, subject.attempt, base, subject.commit)
  const isLanded = await isAncestor(repository.git, subject.commit, base)
  if (isProblem(isLanded)) return isLanded
  return isLanded ? revertCommit(repository, subject.commit) : notOnLine(subject.commit)
}

async function unchanged({ git }: GitRepository, base: Commit): Promise<Candidate | Problem> {
  const tree = await treeOf(git, base)
  return isProblem(tree) ? tree : { kind: 'candidate', commit: base, tree }
}

/** Returns an attempt's commit unless the base has it; a problem when it would bring back dropped landings. */
async function attemptCommitToMerge(
  git: Git,
  attempt: AttemptId,
  base: Commit,
  commit: Commit,
): Promise<Commit | null | Problem> {
  const output = await git.run(['log', '-z', `--format=${ATTEMPTS}`, `${base}..${commit}`, '--'])
  if (isProblem(output)) return output
  if (output === '') return null
  const attempts = splitNul(output).flatMap((line) => line.split(',').slice(1))
  const foreign = attempts.find((name) => name.trim() !== '' && taskOf(name) !== taskOf(attempt))
  return foreign === undefined ? commit : buildsOnDropped(attempt, foreign.trim())
}

const ATTEMPTS = '%H,%(trailers:key=Attempt,valueonly,separator=%x2C)'

function taskOf(attempt: string): string {
  return attempt.trim().replace(/-a\d+$/, '')
}

// Has the landed commit as parent and the files from before it: merging it reverts exactly this landing.
async function revertCommit({ git, identity }: GitRepository, landed: Commit): Promise<Commit | Problem> {
  const before = await treeOf(git, `${landed}^1` as Commit)
  if (isProblem(before)) return before
  return makeCommit(git, identity, { tree: before, parents: [landed], message: `Undo ${landed}\n` })
}

function notOnLine(commit: Commit): Problem {
  const message = `${commit.slice(0, 10)} is not on the landing line, so it cannot be reverted.`
  return problem({ code: 'not-landed', message, hint: 'Revert it by hand: git revert', retry: 'never' })
}

function buildsOnDropped(attempt: AttemptId, dropped: string): Problem {
  return problem({
    code: 'builds-on-dropped',
    message: `${attempt} builds on ${dropped}, which was dropped from the landing line, so landing it would bring that back.`,
    hint: 'Retry the task, so that it starts from the line.',
    retry: 'never',
  })
}
