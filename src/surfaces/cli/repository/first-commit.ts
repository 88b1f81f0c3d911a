import { ProblemError, problem, unwrap } from '../../../core/model/problem.ts'
import type { Repository } from '../../../ports/repository.ts'

/** Next step in a repository without commits. */
export const NO_COMMIT_HINT = 'Make a first commit: git add . && git commit -m Start'

/** True when the repository has a commit that work can start from. */
export async function hasCommit({ changes }: Repository): Promise<boolean> {
  return unwrap(await changes.commitAt('HEAD')) !== null
}

/** Refuses a repository without commits. */
export async function refuseWithoutCommit(repository: Repository): Promise<void> {
  if (await hasCommit(repository)) return
  throw new ProblemError(
    problem({
      code: 'no-commits',
      message: `The repository at ${repository.root} has no commit yet, so no work can start from it.`,
      hint: NO_COMMIT_HINT,
      retry: 'person',
    }),
  )
}
