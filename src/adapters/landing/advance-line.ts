import type { Commit, LandingId } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { isAncestor } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, type RefChange, readRefs } from '../../git/refs.ts'
import type { Advanced, Stale } from '../../ports/landing.ts'

/** Moves the line from one commit to the next, unless it was moved elsewhere, and removes the landing's pin. */
export async function advanceLine(
  git: Git,
  landing: LandingId,
  target: string,
  from: Commit,
  to: Commit,
): Promise<Advanced | Stale | Problem> {
  const ref = refs.line(target)
  const unpin: RefChange = { ref: refs.candidate(landing), to: null }
  const change = (...changes: readonly RefChange[]) => changeRefs(git, [...changes, unpin])
  const swapped = await change({ ref, to, from })
  if (swapped === 'changed') return { kind: 'advanced', commit: to }
  if (isProblem(swapped)) return swapped
  const lineRef = await readRefs(git, [ref])
  if (isProblem(lineRef)) return lineRef
  const line = lineRef.get(ref)?.commit
  // True after a crash that followed the swap and preceded its record.
  const isLanded = line === undefined ? false : await isAncestor(git, to, line)
  if (isProblem(isLanded)) return isLanded
  if (line !== undefined && !isLanded) return { kind: 'stale', line }
  const settled = await (isLanded ? change() : change({ ref, to, from: null }))
  if (settled === 'changed') return { kind: 'advanced', commit: to }
  return isProblem(settled) ? settled : refsMoving(target)
}

/** Another process moves the refs at the same time. */
export function refsMoving(target: string): Problem {
  const message = `Another process moved the refs of ${target} during a landing.`
  return problem({ code: 'refs-moving', message, hint: 'Longhaul tries again.', retry: 'later' })
}
