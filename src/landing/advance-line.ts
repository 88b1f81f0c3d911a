import type { Commit } from '../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../core/model/problem.ts'
import type { Git } from '../git/git.ts'
import { isIn } from '../git/history.ts'
import { refs } from '../git/names.ts'
import { changeRefs, readRefs } from '../git/refs.ts'
import type { Advanced, Stale } from '../ports/landing.ts'

/** Moves the line from one commit to the next, if it still stands there or has been lost. */
export async function advanceLine(
  git: Git,
  target: string,
  from: Commit,
  to: Commit,
): Promise<Advanced | Stale | Problem> {
  const ref = refs.line(target)
  const moved = await changeRefs(git, [{ ref, to, from }])
  if (moved !== 'moved') return isProblem(moved) ? moved : { kind: 'advanced', commit: to }
  const found = await readRefs(git, [ref])
  if (isProblem(found)) return found
  const line = found.get(ref)?.commit
  if (line === undefined) return restore(git, target, to)
  const isThere = await isIn(git, to, line)
  if (isProblem(isThere)) return isThere
  return isThere ? { kind: 'advanced', commit: to } : { kind: 'stale', line }
}

async function restore(git: Git, target: string, to: Commit): Promise<Advanced | Problem> {
  const made = await changeRefs(git, [{ ref: refs.line(target), to, from: null }])
  if (made === 'changed') return { kind: 'advanced', commit: to }
  return isProblem(made) ? made : moving(target)
}

/** Says that something else moves the refs at the same time. */
export function moving(target: string): Problem {
  const message = `The refs of ${target} were moved by something else while it was being landed on.`
  return problem({ code: 'refs-moving', message, hint: 'It is tried again.', retry: 'later' })
}
