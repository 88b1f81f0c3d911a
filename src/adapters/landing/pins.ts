import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, readRefs } from '../../git/refs.ts'
import type { InUse } from '../../ports/landing.ts'

/** Refs that only kept commits for work that is over: bases of attempts, and candidates. No work hangs on them. */
export async function findIdlePins(git: Git, { attempts, landings }: InUse): Promise<readonly string[] | Problem> {
  const found = await readRefs(git, ['refs/longhaul/base/', 'refs/longhaul/candidate/'])
  if (isProblem(found)) return found
  const used = new Set([...attempts.map(refs.base), ...landings.map(refs.candidate)])
  return [...found.keys()].filter((ref) => !used.has(ref))
}

/** Removes such refs. */
export async function removePins(git: Git, names: readonly string[]): Promise<Problem | null> {
  const changed = await changeRefs(
    git,
    names.map((ref) => ({ ref, to: null })),
  )
  if (isProblem(changed)) return changed
  return changed === 'changed' ? null : moving()
}

function moving(): Problem {
  return problem({
    code: 'refs-moving',
    message: 'Refs of Longhaul are being moved by somebody else.',
    hint: 'See who works in the repository, then try again.',
    retry: 'later',
  })
}
