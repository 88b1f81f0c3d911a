import { type Problem, problem } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { RunFound } from './runs.ts'

/** The branch that a new run lands on. */
export async function newTarget(
  place: Repository,
  settings: Pick<Settings, 'target'>,
  checkedOut: string | null,
): Promise<string | Problem> {
  const target = settings.target ?? checkedOut
  if (target === null) {
    return problem({
      code: 'no-target',
      message: 'No branch is checked out here (detached HEAD), so it is not clear where work should land.',
      hint: 'Check out a branch, or write "target: BRANCH" in longhaul.yaml.',
      retry: 'person',
    })
  }
  if (await place.hasBranch(target)) return target
  return problem({
    code: 'no-target-branch',
    message: `There is no branch ${target}, on which work should land.`,
    hint: `Make it (git branch ${target}), or name another one as "target" in longhaul.yaml.`,
    retry: 'person',
  })
}

/** Why settings do not fit a run: it keeps the branch that it was opened for. */
export function targetProblem({ run, summary }: RunFound, { target }: Pick<Settings, 'target'>): Problem | null {
  if (target === null || target === summary.target) return null
  return problem({
    code: 'target-changed',
    message: `Run ${run} lands on ${summary.target}, but longhaul.yaml now says ${target}.`,
    hint: `Write "target: ${summary.target}" until this run has ended.`,
    retry: 'person',
  })
}
