import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Git } from './git.ts'

/** Brings what a name stands for in another repository on this machine into this one, under no name of its own. */
export async function fetchFrom(git: Git, otherGitDir: string, name: string): Promise<Problem | null> {
  const output = await git.run(['fetch', '--quiet', ...LEAVING_NO_TRACE, '--', otherGitDir, name])
  return isProblem(output) ? output : null
}

const LEAVING_NO_TRACE = ['--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules']
