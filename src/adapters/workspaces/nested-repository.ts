import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { commitOf } from '../../git/history.ts'
import { insideGit } from './clone-git.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'

/** Repository in a folder of a workspace. */
export interface NestedRepository {
  /** Commit that is checked out, or null. */
  readonly head: Commit | null
  /** Its folders of objects; none when the repository itself is outside of the workspace. */
  readonly objects: readonly string[]
}

/** Finds the repository in a folder of a workspace; null when there is none. */
export async function nestedAt(
  context: WorkspaceContext,
  clone: ClonePaths,
  folder: string,
): Promise<NestedRepository | null | Problem> {
  const git = insideGit(context, clone).at({ folder })
  // Parent folders have repositories, too.
  const env = { GIT_CEILING_DIRECTORIES: dirname(folder) }
  const gitDir = await git.ask(['rev-parse', '--absolute-git-dir'], { env })
  if ('kind' in gitDir) return gitDir
  if (gitDir.exitCode !== 0) return null
  const objects = await git.run(['rev-parse', '--path-format=absolute', '--git-path', 'objects'], { env })
  if (isProblem(objects)) return objects
  const places = [gitDir.stdout, objects].map((output) => output.replace(/\n$/, ''))
  // A file named .git can lead to any repository of the machine, which is not the agent's work.
  if (!places.every((place) => isInside(clone, place))) return { head: null, objects: [] }
  const [place = ''] = places
  const head = await commitOf(git.at({ folder, gitDir: place }), 'HEAD')
  return isProblem(head) ? head : { head, objects: places.slice(1) }
}

function isInside({ root, tree }: ClonePaths, path: string): boolean {
  return path.startsWith(join(realpathSync(root), basename(tree), '/'))
}
