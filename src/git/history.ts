import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Git } from './git.ts'
import { gitProblem } from './git-problem.ts'
import { objectIdIn } from './object-id.ts'

/** True when a commit is an ancestor of the later one, or the same. */
export async function isAncestor(git: Git, commit: Commit, later: Commit): Promise<boolean | Problem> {
  if (commit === later) return true
  const args = ['merge-base', '--is-ancestor', commit, later]
  const answer = await git.ask(args)
  if ('kind' in answer) return answer
  if (answer.exitCode <= 1) return answer.exitCode === 0
  return gitProblem(args, git.place.folder, answer.stderr)
}

/** True when two commits have a common ancestor. */
export async function areRelated(git: Git, one: Commit, other: Commit): Promise<boolean | Problem> {
  const args = ['merge-base', one, other]
  const answer = await git.ask(args)
  if ('kind' in answer) return answer
  if (answer.exitCode <= 1) return answer.exitCode === 0
  return gitProblem(args, git.place.folder, answer.stderr)
}

/** Position of a commit relative to another one. */
export type Relation = 'same' | 'behind' | 'ahead' | 'diverged'

/** Compares two commits: 'behind' when the other one contains the first. */
export async function relationOf(git: Git, one: Commit, other: Commit): Promise<Relation | Problem> {
  if (one === other) return 'same'
  const output = await git.run(['rev-list', '--left-right', '--count', `${one}...${other}`, '--'])
  if (isProblem(output)) return output
  const [own, others] = output.trim().split('\t').map(Number)
  if (own === 0) return 'behind'
  return others === 0 ? 'ahead' : 'diverged'
}

/** Commit with its tree. */
export interface CommitWithTree {
  readonly commit: Commit
  readonly tree: Tree
}

/** Returns the tree of a commit. */
export async function treeOf(git: Git, commit: Commit): Promise<Tree | Problem> {
  const output = await git.run(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`])
  return isProblem(output) ? output : (output.trim() as Tree)
}

/** Resolves a name to a commit, or null. */
export async function commitOf(git: Git, name: string): Promise<Commit | null | Problem> {
  const args = ['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`]
  const answer = await git.ask(args)
  if ('kind' in answer) return answer
  if (answer.exitCode > 1) return gitProblem(args, git.place.folder, answer.stderr)
  return answer.exitCode === 0 ? (objectIdIn(answer.stdout) as Commit | null) : null
}

/** Returns those of these commits that the repository does not have. */
export async function missingCommits(git: Git, commits: readonly Commit[]): Promise<readonly Commit[] | Problem> {
  if (commits.length === 0) return []
  const args = ['cat-file', '--batch-check=%(objecttype)']
  const answer = await git.ask(args, { input: `${commits.join('\n')}\n` })
  if ('kind' in answer) return answer
  if (answer.exitCode !== 0) return gitProblem(args, git.place.folder, answer.stderr)
  const types = answer.stdout.trimEnd().split('\n')
  return commits.filter((_, index) => types[index] !== 'commit')
}

/** Returns the parents of a commit. */
export async function parentsOf(git: Git, commit: Commit): Promise<readonly Commit[] | Problem> {
  const output = await git.run(['rev-parse', `${commit}^@`])
  return isProblem(output) ? output : (output.split('\n').filter((line) => line !== '') as Commit[])
}
