import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Git } from './git.ts'
import { gitProblem } from './git-problem.ts'

/** Whether a commit is another one or part of its history. */
export async function isIn(git: Git, commit: Commit, later: Commit): Promise<boolean | Problem> {
  if (commit === later) return true
  const args = ['merge-base', '--is-ancestor', commit, later]
  const answer = await git.ask(args)
  if ('kind' in answer) return answer
  if (answer.exitCode <= 1) return answer.exitCode === 0
  return gitProblem(args, git.place.folder, answer.complaint)
}

/** How two commits stand to each other. */
export type Relation = 'same' | 'behind' | 'ahead' | 'diverged'

/** How one commit stands to another: 'behind' when the other has it. */
export async function relationOf(git: Git, one: Commit, other: Commit): Promise<Relation | Problem> {
  if (one === other) return 'same'
  const output = await git.run(['rev-list', '--left-right', '--count', `${one}...${other}`, '--'])
  if (isProblem(output)) return output
  const [own, others] = output.trim().split('\t').map(Number)
  if (own === 0) return 'behind'
  return others === 0 ? 'ahead' : 'diverged'
}

/** A commit and its tree. */
export interface Head {
  readonly commit: Commit
  readonly tree: Tree
}

/** What is checked out; null when that is nothing, or not there. */
export async function headOf(git: Git): Promise<Head | null | Problem> {
  const output = await git.run(['rev-parse', '--revs-only', 'HEAD^{commit}', 'HEAD^{tree}'])
  if (isProblem(output)) return output
  const [commit, tree] = output.trim().split('\n')
  return commit && tree ? { commit: commit as Commit, tree: tree as Tree } : null
}

/** A commit's tree. */
export async function treeOf(git: Git, commit: Commit): Promise<Tree | Problem> {
  const output = await git.run(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`])
  return isProblem(output) ? output : (output.trim() as Tree)
}

/** The commit a name stands for, or null. */
export async function commitOf(git: Git, name: string): Promise<Commit | null | Problem> {
  const args = ['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`]
  const answer = await git.ask(args)
  if ('kind' in answer) return answer
  if (answer.exitCode > 1) return gitProblem(args, git.place.folder, answer.complaint)
  return answer.exitCode === 0 ? (answer.output.trim() as Commit) : null
}

/** Those of these commits that are not there. */
export async function missingCommits(git: Git, commits: readonly Commit[]): Promise<readonly Commit[] | Problem> {
  if (commits.length === 0) return []
  const args = ['cat-file', '--batch-check=%(objecttype)']
  const answer = await git.ask(args, { input: `${commits.join('\n')}\n` })
  if ('kind' in answer) return answer
  if (answer.exitCode !== 0) return gitProblem(args, git.place.folder, answer.complaint)
  const types = answer.output.trimEnd().split('\n')
  return commits.filter((_, index) => types[index] !== 'commit')
}

/** What a commit comes after. */
export async function parentsOf(git: Git, commit: Commit): Promise<readonly Commit[] | Problem> {
  const told = await git.run(['rev-parse', `${commit}^@`])
  return isProblem(told) ? told : (told.split('\n').filter((line) => line !== '') as Commit[])
}
