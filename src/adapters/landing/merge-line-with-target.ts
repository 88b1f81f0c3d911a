import type { CandidateOrder } from '../../core/model/effect.ts'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { makeCommit } from '../../git/commit.ts'
import { isAncestor, relationOf } from '../../git/history.ts'
import { mergeTrees } from '../../git/merge.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, readRefs } from '../../git/refs.ts'
import type { GitRepository } from '../../git/repository.ts'
import type { LandingHeld } from '../../ports/landing.ts'
import { refsMoving } from './advance-line.ts'
import { historyRewritten, lineMoved, targetConflicts, targetGone } from './landing-held.ts'

/** Commit that a candidate starts from: the line, merged with the user's new commits on the target. */
export interface CandidateBase {
  readonly kind: 'base'
  readonly line: Commit
  readonly base: Commit
  readonly target: Commit
}

/** Merges the line and the user's new commits on the target, on no branch. */
export async function findCandidateBase(
  repository: GitRepository,
  order: CandidateOrder,
): Promise<CandidateBase | LandingHeld | Problem> {
  const { git } = repository
  const current = await readRefs(git, [refs.head(order.target), refs.line(order.target), refs.seen(order.target)])
  if (isProblem(current)) return current
  const target = current.get(refs.head(order.target))?.commit
  if (target === undefined) return targetGone(order.target)
  const lineCommit = current.get(refs.line(order.target))?.commit ?? null
  // Also holds after a person has moved the line to the target.
  if (lineCommit === target) return { kind: 'base', line: target, base: target, target }
  const line = await lineFor(repository, order, lineCommit)
  if (typeof line !== 'string') return line
  // The target is where Longhaul left it, at a commit of the line.
  if (current.get(refs.seen(order.target))?.commit === target) return { kind: 'base', line, base: line, target }
  const hasLastTarget = await isAncestor(git, order.lastTarget, target)
  if (isProblem(hasLastTarget)) return hasLastTarget
  if (!hasLastTarget) return historyRewritten(git, order.target, target, order.lastTarget)
  const base = await mergeTarget(repository, order.target, line, target)
  return typeof base === 'string' ? { kind: 'base', line, base, target } : base
}

async function lineFor(
  { git }: GitRepository,
  { target, line: expected }: CandidateOrder,
  line: Commit | null,
): Promise<Commit | LandingHeld | Problem> {
  if (line === null) {
    const created = await changeRefs(git, [{ ref: refs.line(target), to: expected, from: null }])
    return created === 'changed' ? expected : isProblem(created) ? created : refsMoving(target)
  }
  const continues = await isAncestor(git, expected, line)
  if (isProblem(continues)) return continues
  return continues ? line : lineMoved(target, expected, line)
}

async function mergeTarget(
  { git, identity }: GitRepository,
  name: string,
  line: Commit,
  target: Commit,
): Promise<Commit | LandingHeld | Problem> {
  const relation = await relationOf(git, line, target)
  if (isProblem(relation)) return relation
  if (relation !== 'diverged') return relation === 'behind' ? target : line
  const merged = await mergeTrees(git, line, target)
  if (isProblem(merged)) return merged
  if (merged.kind === 'conflict') return targetConflicts(name, merged.files)
  const message = `Merge new commits of ${name}\n`
  return makeCommit(git, identity, { tree: merged.tree, parents: [line, target], message })
}
