import { rmSync } from 'node:fs'
import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../core/model/problem.ts'
import { type Git, splitZero } from './git.ts'
import { gitProblem } from './git-problem.ts'

/** What a folder holds, as a tree. */
export interface FolderTree {
  readonly tree: Tree
  /** Nested repositories that have no commit, so that git cannot even name them. */
  readonly unnamed: readonly string[]
}

/** A folder whose files are to be saved, with an index of our own that remembers it. */
export interface SavedFolder {
  /** Git with the repository that gets the files, and the folder as its work tree. */
  readonly git: Git
  readonly index: string
  /** Ignored files that count all the same. */
  readonly forced?: readonly string[]
}

/** Saves everything in a folder that is not ignored as a tree of the repository. */
export async function folderTree({ git, index, forced = [] }: SavedFolder): Promise<FolderTree | Problem> {
  // Left behind by a git that was killed; the index is ours alone.
  rmSync(`${index}.lock`, { force: true })
  if (forced.length > 0) return treeInSteps(git, index, forced)
  const written = await git.ask(['write-tree'], { first: [ADD_ALL], index, settings: SETTINGS })
  if ('kind' in written) return written
  return written.exitCode === 0 ? { tree: written.output.trim() as Tree, unnamed: [] } : treeInSteps(git, index, [])
}

/** One step after another, to see what goes wrong. */
async function treeInSteps(git: Git, index: string, forced: readonly string[]): Promise<FolderTree | Problem> {
  const unnamed = await addAll(git, index, forced)
  if (isProblem(unnamed)) return unnamed
  const tree = await git.run(['write-tree'], { index })
  return isProblem(tree) ? tree : { tree: tree.trim() as Tree, unnamed }
}

/** Makes an index hold exactly a commit's files, keeping what it knows about those that are the same. */
export async function resetIndex(git: Git, index: string, commit: Commit): Promise<Problem | null> {
  rmSync(`${index}.lock`, { force: true })
  const merged = await git.ask(['read-tree', '-m', commit], { index })
  if ('kind' in merged) return merged
  if (merged.exitCode === 0) return null
  rmSync(index, { force: true })
  const fresh = await git.run(['read-tree', commit], { index })
  return isProblem(fresh) ? fresh : null
}

/** A commit of another repository at a path of this one. */
export interface Gitlink {
  readonly path: string
  readonly commit: Commit
}

/** The nested repositories that an index names, at certain paths or anywhere. */
export async function gitlinksIn(
  git: Git,
  index: string,
  paths: readonly string[],
): Promise<readonly Gitlink[] | Problem> {
  const within = paths.map((path) => `:(top,literal)${path}`)
  const output = await git.run(['ls-files', '--stage', '-z', '--', ...within], { index })
  if (isProblem(output)) return output
  return splitZero(output).flatMap((line) => {
    const [, commit, path] = /^160000 ([0-9a-f]+) \d\t(.+)$/s.exec(line) ?? []
    return commit === undefined || path === undefined ? [] : [{ path, commit: commit as Commit }]
  })
}

// Saving must not stop at a mixed line ending that the user wants to be warned of.
const SETTINGS = ['core.safecrlf=false']
const ADD_ALL = ['add', '--all', '--ignore-errors', '--', '.']

async function addAll(git: Git, index: string, forced: readonly string[]): Promise<readonly string[] | Problem> {
  const answer = await git.ask(ADD_ALL, { index, settings: SETTINGS })
  if ('kind' in answer) return answer
  const unnamed = unnamedIn(answer.complaint)
  if (answer.exitCode !== 0 && (answer.exitCode !== 1 || unnamed === null)) {
    return incomplete(gitProblem(ADD_ALL, git.place.folder, answer.complaint))
  }
  if (forced.length === 0) return unnamed ?? []
  const input = forced.map((path) => `:(top,literal)${path}\0`).join('')
  const more = ['add', '--force', '--pathspec-from-file=-', '--pathspec-file-nul']
  const added = await git.run(more, { index, input, settings: SETTINGS })
  return isProblem(added) ? added : (unnamed ?? [])
}

// Null: something else went wrong, too.
function unnamedIn(complaint: string): readonly string[] | null {
  const errors = complaint.split('\n').filter((line) => /^(error|fatal):/.test(line))
  const paths = errors.map((line) => /^error: '(.+?)\/?' does not have a commit checked out$/.exec(line)?.[1])
  return paths.every((path) => path !== undefined) ? paths : null
}

function incomplete(cause: Problem): Problem {
  if (cause.code !== 'git-failed') return cause
  const hint = 'Make the files readable, or have git ignore them, then retry.'
  return problem({ ...cause, code: 'files-unsaved', message: `Not everything could be saved: ${cause.message}`, hint })
}
