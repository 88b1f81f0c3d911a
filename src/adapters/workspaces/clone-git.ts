import { join } from 'node:path'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'

/** Git in the clone itself, named outright: with its git folder gone, git would look for one further up. */
export function cloneGit({ repository }: WorkspaceContext, { tree }: ClonePaths): Git {
  return repository.git.at({ folder: tree, gitDir: join(tree, '.git'), workTree: tree })
}

/** Git in the user's repository, with a folder elsewhere as its work tree. */
export function savingGit({ repository }: WorkspaceContext, folder: string): Git {
  return repository.git.at({ folder, gitDir: repository.gitDir, workTree: folder })
}

/** Says that a workspace is not there, or no longer one. */
export function missing(clone: ClonePaths, cause?: unknown): Problem {
  return problem({
    code: 'workspace-missing',
    message: `The workspace ${clone.tree} is gone, or its git folder is.`,
    hint: 'It is made again from the last checkpoint.',
    retry: 'later',
    cause,
  })
}

/** Whether git failed at what it was asked, rather than the machine. */
export function isGitsFailure(value: unknown): value is Problem {
  return isProblem(value) && value.code === 'git-failed'
}
