import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Git } from './git.ts'

/** Fetches a ref of another repository on this machine without creating a ref here. */
export async function fetchFrom(git: Git, otherGitDir: string, name: string): Promise<Problem | null> {
  const output = await git.run(['fetch', '--quiet', ...LEAVING_NO_TRACE, '--', otherGitDir, name])
  return isProblem(output) ? output : null
}

const LEAVING_NO_TRACE = ['--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules']
