import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../core/model/problem.ts'
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

/** Lists the changed files that match one of the globs. */
export async function changedMatching(
  git: Git,
  from: Commit,
  to: Tree,
  globs: readonly string[],
): Promise<readonly string[] | Problem> {
  if (globs.length === 0) return []
  const within = globs.map((glob) => `:(top,glob)${glob.replace(/^\/+/, '')}`)
  const output = await git.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to, '--', ...within])
  if (!isProblem(output)) return splitNul(output)
  if (output.code !== 'git-failed') return output
  const hint = 'Correct gates[].protect in longhaul.yaml.'
  return problem({ ...output, message: `The globs of protected files could not be matched: ${output.message}`, hint })
}
