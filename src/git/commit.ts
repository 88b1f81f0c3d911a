import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Git } from './git.ts'
import type { Identity } from './identity.ts'

export interface NewCommit {
  readonly tree: Tree
  readonly parents: readonly Commit[]
  readonly message: string
}

/** Makes a commit on no branch, without hooks or signing; a problem when the user's identity is not known. */
export async function makeCommit(git: Git, identity: Identity | Problem, commit: NewCommit): Promise<Commit | Problem> {
  if (isProblem(identity)) return identity
  const args = ['commit-tree', commit.tree, ...commit.parents.flatMap((parent) => ['-p', parent]), '-F', '-']
  const { author, committer } = identity
  const env = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
  }
  const output = await git.run(args, { input: commit.message, env })
  return isProblem(output) ? output : (output.trim() as Commit)
}
