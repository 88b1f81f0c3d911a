import type { Problem } from '../core/model/problem.ts'
import { isProblem } from '../core/model/problem.ts'
import type { Git } from './git.ts'

/** Brings what a name stands for in another repository on this machine into this one, under no name. */
export async function fetchFrom(git: Git, otherGitDir: string, name: string): Promise<Problem | null> {
  const output = await git.run(
    [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      '--update-shallow',
      ...NO_MODULES,
    ].concat(['--', otherGitDir, name]),
  )
  return isProblem(output) ? output : null
}

const NO_MODULES = ['--no-recurse-submodules']
