import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import { type Git, splitNul } from './git.ts'

/** File that differs between two trees. */
export interface ChangedFile {
  readonly path: string
  /** Commit of the nested repository that the path names in the new tree, or null. */
  readonly gitlink: Commit | null
}

/** Lists the files that differ between a commit and a tree. */
export async function changedFiles(
  git: Git,
  from: Commit,
  to: Tree | Commit,
): Promise<readonly ChangedFile[] | Problem> {
  const output = await git.run(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to])
  if (isProblem(output)) return output
  const parts = splitNul(output)
  return parts.flatMap((entry, index) => {
    if (index % 2 === 1) return []
    const [, mode, , commit] = entry.split(' ')
    return [{ path: parts[index + 1] ?? '', gitlink: mode === '160000' ? (commit as Commit) : null }]
  })
}
