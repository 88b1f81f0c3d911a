import type { Commit, TaskId } from '../core/model/ids.ts'
import type { LineChange } from '../core/model/landed-work.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import { type Git, splitNul } from './git.ts'

/** Lists the commits from one up to another, newest first, each with its files; a merge with what it changed for its first parent. */
export async function lineChanges(git: Git, from: Commit, to: string): Promise<readonly LineChange[] | Problem> {
  const output = await git.run(['log', ...LISTED, to, `^${from}^@`, '--'])
  if (isProblem(output)) return output
  return output
    .split(START)
    .slice(1)
    .map((entry) => {
      const [head = '', ...names] = splitNul(entry)
      const [commit = '', task = '', reverts = ''] = head.split(FIELD_END)
      const files = names.map((name) => name.replace(/^\n/, '')).filter((name) => name !== '')
      return {
        commit: commit as Commit,
        task: (task || null) as TaskId | null,
        reverts: (reverts || null) as Commit | null,
        files,
      }
    })
}

const [START, FIELD_END] = ['\u0001', '\u0002']
const TRAILER = 'valueonly,separator=%x2C'
const LISTED = [
  '-z',
  // Commits of the same second would otherwise come in any order.
  '--topo-order',
  '--name-only',
  '--no-renames',
  '--no-ext-diff',
  '--diff-merges=first-parent',
  `--format=%x01%H%x02%(trailers:key=Task-Id,${TRAILER})%x02%(trailers:key=Reverts,${TRAILER})`,
]
