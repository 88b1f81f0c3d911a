import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, readRefs } from '../../git/refs.ts'
import type { InUse } from '../../ports/landing.ts'
import type { Leftovers } from '../../ports/repository.ts'

/** Finds pins of finished work: base refs of attempts and candidates. No work depends on them. */
export async function findIdlePins(
  git: Git,
  { attempts, landings }: InUse,
): Promise<Pick<Leftovers, 'pins' | 'removePins'> | Problem> {
  const pinned = await readRefs(git, ['refs/longhaul/base/', 'refs/longhaul/candidate/'])
  if (isProblem(pinned)) return pinned
  const used = new Set([...attempts.map(refs.base), ...landings.map(refs.candidate)])
  const pins = [...pinned.keys()].filter((ref) => !used.has(ref))
  return { pins, removePins: (names) => removePins(git, names) }
}

async function removePins(git: Git, names: readonly string[]): Promise<Problem | null> {
  const changed = await changeRefs(
    git,
    names.map((ref) => ({ ref, to: null })),
  )
  if (isProblem(changed)) return changed
  return changed === 'changed' ? null : refsMoving()
}

function refsMoving(): Problem {
  return problem({
    code: 'refs-moving',
    message: 'Another process is moving refs of Longhaul.',
    hint: 'Wait until it has finished, then try again.',
    retry: 'later',
  })
}
