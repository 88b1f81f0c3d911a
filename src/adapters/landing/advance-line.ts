import type { Commit, LandingId } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { isIn } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, type RefChange, readRefs } from '../../git/refs.ts'
import type { Advanced, Stale } from '../../ports/landing.ts'

/** Moves the line from one commit to the next, if it still stands there or has been lost; the landing's pin goes. */
export async function advanceLine(
  git: Git,
  landing: LandingId,
  target: string,
  from: Commit,
  to: Commit,
): Promise<Advanced | Stale | Problem> {
  const ref = refs.line(target)
  const unpinned: RefChange = { ref: refs.candidate(landing), to: null }
  const change = (...changes: readonly RefChange[]) => changeRefs(git, [...changes, unpinned])
  const moved = await change({ ref, to, from })
  if (moved !== 'moved') return isProblem(moved) ? moved : { kind: 'advanced', commit: to }
  const found = await readRefs(git, [ref])
  if (isProblem(found)) return found
  const line = found.get(ref)?.commit
  const isThere = line === undefined ? false : await isIn(git, to, line)
  if (isProblem(isThere)) return isThere
  if (line !== undefined && !isThere) return { kind: 'stale', line }
  const settled = await (isThere ? change() : change({ ref, to, from: null }))
  if (settled === 'changed') return { kind: 'advanced', commit: to }
  return isProblem(settled) ? settled : moving(target)
}

/** Says that something else moves the refs at the same time. */
export function moving(target: string): Problem {
  const message = `The refs of ${target} were moved by something else while it was being landed on.`
  return problem({ code: 'refs-moving', message, hint: 'It is tried again.', retry: 'later' })
}
