import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { refs } from '../../git/names.ts'
import { type Ref, readRefs } from '../../git/refs.ts'

/** The refs of an attempt, as far as they are there. */
export interface OwnRefs {
  readonly branch: Ref | undefined
  readonly pin: Ref | undefined
  readonly base: Ref | undefined
}

/** What the repository knows of an attempt that is to be released. */
export interface AttemptRefs {
  /** Where the landing line of its target stands. */
  readonly line: Commit | null
  /** Its latest checkpoint. */
  readonly saved: Commit | null
  /** The refs that hold what was salvaged of it before. */
  readonly salvaged: readonly string[]
  /** Its own refs: those that go with it. */
  readonly own: OwnRefs
}

/** Looks up what the repository knows of an attempt. */
export async function readAttemptRefs(git: Git, attempt: AttemptId, target: string): Promise<AttemptRefs | Problem> {
  const [line, pin, salvage] = [refs.line(target), refs.attempt(attempt), refs.salvage(attempt)]
  const [branch, base] = [refs.branch(attempt), refs.base(attempt)]
  const found = await readRefs(git, [line, pin, branch, base, salvage, `${salvage}++*`])
  if (isProblem(found)) return found
  return {
    line: found.get(line)?.commit ?? null,
    saved: found.get(pin)?.commit ?? null,
    salvaged: [...found.keys()].filter((ref) => ref.startsWith(salvage)),
    own: { branch: found.get(branch), pin: found.get(pin), base: found.get(base) },
  }
}
