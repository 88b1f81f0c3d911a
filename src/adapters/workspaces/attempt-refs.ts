import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { refs } from '../../git/names.ts'
import { type Ref, readRefs } from '../../git/refs.ts'

/** Refs of an attempt that exist. */
export interface OwnRefs {
  readonly branch: Ref | undefined
  readonly pin: Ref | undefined
  readonly base: Ref | undefined
}

/** Everything the repository holds about an attempt. */
export interface AttemptRefs {
  /** Tip of its target's landing line. */
  readonly line: Commit | null
  /** Latest checkpoint. */
  readonly saved: Commit | null
  /** Refs of work that was salvaged earlier. */
  readonly salvaged: readonly string[]
  /** Refs that are deleted with the attempt. */
  readonly own: OwnRefs
}

/** Reads the refs that belong to an attempt. */
export async function readAttemptRefs(git: Git, attempt: AttemptId, target: string): Promise<AttemptRefs | Problem> {
  const [line, pin, salvage] = [refs.line(target), refs.attempt(attempt), refs.salvage(attempt)]
  const [branch, base] = [refs.branch(attempt), refs.base(attempt)]
  const existing = await readRefs(git, [line, pin, branch, base, salvage, `${salvage}++*`])
  if (isProblem(existing)) return existing
  return {
    line: existing.get(line)?.commit ?? null,
    saved: existing.get(pin)?.commit ?? null,
    salvaged: [...existing.keys()].filter((ref) => ref.startsWith(salvage)),
    own: { branch: existing.get(branch), pin: existing.get(pin), base: existing.get(base) },
  }
}
