import { join } from 'node:path'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'

/** Git inside a clone. The git folder is named explicitly, or git would look for one in the parent folders. */
export function cloneGit({ repository }: WorkspaceContext, { tree }: ClonePaths): Git {
  return repository.git.at({ folder: tree, gitDir: join(tree, '.git'), workTree: tree })
}

/** Git in the user's repository, with another folder as its work tree. */
export function savingGit({ repository }: WorkspaceContext, folder: string): Git {
  return repository.git.at({ folder, gitDir: repository.gitDir, workTree: folder })
}

/** Reports a workspace that is missing or has no usable git folder. */
export function missing(clone: ClonePaths, cause?: unknown): Problem {
  return problem({
    code: 'workspace-missing',
    message: `The workspace ${clone.tree} or its git folder is missing.`,
    hint: 'Nothing to do: it is made again from the last checkpoint.',
    retry: 'later',
    cause,
  })
}

/** True when git refused a command; false for trouble of the machine. */
export function isGitsFailure(value: unknown): value is Problem {
  return isProblem(value) && value.code === 'git-failed'
}
