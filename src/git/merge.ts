import type { Commit, Tree } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'
import { type Git, splitNul } from './git.ts'
import { gitProblem } from './git-problem.ts'

/** Result of a merge. */
export type Merge =
  | { readonly kind: 'clean'; readonly tree: Tree }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }

/** Merges two commits without touching any checkout. */
export async function mergeTrees(git: Git, ours: Commit, theirs: Commit): Promise<Merge | Problem> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs]
  const answer = await git.ask(args)
  if ('kind' in answer) return answer
  const [tree = '', ...files] = splitNul(answer.stdout)
  if (answer.exitCode === 0) return { kind: 'clean', tree: tree as Tree }
  if (answer.exitCode === 1) return { kind: 'conflict', files: [...new Set(files)] }
  return gitProblem(args, git.place.folder, answer.stderr)
}
