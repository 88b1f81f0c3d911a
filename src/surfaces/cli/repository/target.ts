import { type Problem, problem } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { RunFound } from './runs.ts'

/** Returns the branch that a new run lands on. */
export async function newTarget(
  repository: Repository,
  settings: Pick<Settings, 'target'>,
  checkedOut: string | null,
): Promise<string | Problem> {
  const target = settings.target ?? checkedOut
  if (target === null) {
    return problem({
      code: 'no-target',
      message: 'No branch is checked out (detached HEAD), so there is no branch to land work on.',
      hint: 'Check out a branch, or write "target: BRANCH" in longhaul.yaml.',
      retry: 'person',
    })
  }
  if (await repository.hasBranch(target)) return target
  return problem({
    code: 'no-target-branch',
    message: `Branch ${target}, which work should land on, does not exist.`,
    hint: `Create it (git branch ${target}), or set another "target" in longhaul.yaml.`,
    retry: 'person',
  })
}

/** Returns a problem if settings name another target than the run, which keeps the branch it was opened for. */
export function targetProblem({ run, summary }: RunFound, { target }: Pick<Settings, 'target'>): Problem | null {
  if (target === null || target === summary.target) return null
  return problem({
    code: 'target-changed',
    message: `Run ${run} lands on ${summary.target}, but longhaul.yaml now says ${target}.`,
    hint: `Set "target: ${summary.target}" until this run has ended.`,
    retry: 'person',
  })
}
