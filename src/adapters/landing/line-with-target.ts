import type { CandidateOrder } from '../../core/model/effect.ts'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { makeCommit } from '../../git/commit.ts'
import { isIn, relationOf } from '../../git/history.ts'
import { mergeTrees } from '../../git/merge.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, readRefs } from '../../git/refs.ts'
import type { GitRepository } from '../../git/repository.ts'
import type { LandingHeld } from '../../ports/landing.ts'
import { moving } from './advance-line.ts'
import { contradicted, lineMoved, rewritten, targetGone } from './held.ts'

/** Where the line stands, and the line with the user's own new commits. */
export interface LineWithTarget {
  readonly kind: 'base'
  readonly line: Commit
  readonly base: Commit
  readonly target: Commit
}

/** Brings the line and the user's new commits on the target together, on no branch. */
export async function lineWithTarget(
  repository: GitRepository,
  order: CandidateOrder,
): Promise<LineWithTarget | LandingHeld | Problem> {
  const { git } = repository
  const found = await readRefs(git, [refs.head(order.target), refs.line(order.target), refs.seen(order.target)])
  if (isProblem(found)) return found
  const target = found.get(refs.head(order.target))?.commit
  if (target === undefined) return targetGone(order.target)
  const standing = found.get(refs.line(order.target))?.commit ?? null
  // Where they are one, there is nothing to bring together: also after a person has put the line where the target is.
  if (standing === target) return { kind: 'base', line: target, base: target, target }
  const line = await lineFor(repository, order, standing)
  if (typeof line !== 'string') return line
  // The target is where we put it, or left it: at a commit of the line.
  if (found.get(refs.seen(order.target))?.commit === target) return { kind: 'base', line, base: line, target }
  const isWhole = await isIn(git, order.lastTarget, target)
  if (isProblem(isWhole)) return isWhole
  if (!isWhole) return rewritten(order.target, order.lastTarget)
  const base = await together(repository, order.target, line, target)
  return typeof base === 'string' ? { kind: 'base', line, base, target } : base
}

async function lineFor(
  { git }: GitRepository,
  { target, line: expected }: CandidateOrder,
  line: Commit | null,
): Promise<Commit | LandingHeld | Problem> {
  if (line === null) {
    const made = await changeRefs(git, [{ ref: refs.line(target), to: expected, from: null }])
    return made === 'changed' ? expected : isProblem(made) ? made : moving(target)
  }
  const continues = await isIn(git, expected, line)
  if (isProblem(continues)) return continues
  return continues ? line : lineMoved(target, expected, line)
}

async function together(
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
  if (merged.kind === 'conflict') return contradicted(name, merged.files)
  const message = `Merge new commits of ${name}\n`
  return makeCommit(git, identity, { tree: merged.tree, parents: [line, target], message })
}
