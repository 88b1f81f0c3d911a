import { join } from 'node:path'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'

/** Git for a clone's own git folder, named explicitly, or git would look for one in the parent folders. */
export function cloneGit(context: WorkspaceContext, clone: ClonePaths): Git {
  const { tree } = clone
  return insideGit(context, clone).at({ folder: tree, gitDir: join(tree, '.git'), workTree: tree })
}

/** Git for our own git folder of a clone, with the tree or a folder in it as its work tree. */
export function savingGit(
  context: WorkspaceContext,
  clone: ClonePaths,
  folder = clone.tree,
  borrowed: readonly string[] = [],
): Git {
  const { take: gitDir, objects } = clone
  return insideGit(context, clone).at({ folder, gitDir, workTree: folder, objects, borrowed })
}

/** Git that runs inside a clone, at no place yet. */
export function insideGit({ repository, inside }: WorkspaceContext, clone: ClonePaths): Git {
  return repository.git.through(inside(clone))
}

/** Reports a workspace that is missing or has no usable git folder. */
export function missing(clone: ClonePaths, part: string, cause?: unknown): Problem {
  return problem({
    code: 'workspace-missing',
    message: `The git folder of the workspace ${clone.tree} is broken: ${part} is missing, a link, or not what git needs there.`,
    hint: 'Nothing to do: it is made again from the last checkpoint.',
    retry: 'later',
    cause,
  })
}

/** True when git refused a command; false for trouble of the machine. */
export function isGitsFailure(value: unknown): value is Problem {
  return isProblem(value) && value.code === 'git-failed'
}
