import { rmSync } from 'node:fs'
import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../core/model/problem.ts'
import { type Git, splitNul } from './git.ts'
import { gitProblem } from './git-problem.ts'
import { objectIdIn } from './object-id.ts'

/** Files of a folder as a git tree. */
export interface FolderTree {
  readonly tree: Tree
  /** Nested repositories without a commit, which git cannot add. */
  readonly unnamed: readonly string[]
}

/** Folder whose files are saved, with a separate index that makes the next save fast. */
export interface SavedFolder {
  /** Git with the repository that gets the files, and with the folder as work tree. */
  readonly git: Git
  readonly index: string
  /** Ignored files that are saved all the same. */
  readonly forced?: readonly string[]
  /** Settings of git that say what is ignored besides. */
  readonly settings?: readonly string[]
}

/** Saves all files of a folder that git does not ignore as a tree. */
export async function folderTree({
  git,
  index,
  forced = [],
  settings = [],
}: SavedFolder): Promise<FolderTree | Problem> {
  // A killed git leaves its lock; no other process uses this index.
  rmSync(`${index}.lock`, { force: true })
  const unnamed = await addAll(git, index, forced, [...SETTINGS, ...settings])
  if (isProblem(unnamed)) return unnamed
  const output = await git.run(['write-tree'], { index })
  if (isProblem(output)) return output
  const tree = objectIdIn(output)
  return tree === null ? gitProblem(['write-tree'], git.place.folder, '') : { tree: tree as Tree, unnamed }
}

/** Resets an index to a commit; keeps the cached file stats of unchanged files. */
export async function resetIndex(git: Git, index: string, commit: Commit): Promise<Problem | null> {
  rmSync(`${index}.lock`, { force: true })
  const merged = await git.ask(['read-tree', '-m', commit], { index })
  if ('kind' in merged) return merged
  if (merged.exitCode === 0) return null
  rmSync(index, { force: true })
  const fresh = await git.run(['read-tree', commit], { index })
  return isProblem(fresh) ? fresh : null
}

/** Nested repository at a path, with its commit. */
export interface Gitlink {
  readonly path: string
  readonly commit: Commit
}

/** Lists the nested repositories in an index, at some paths or (with none given) everywhere. */
export async function gitlinksIn(
  git: Git,
  index: string,
  paths: readonly string[],
): Promise<readonly Gitlink[] | Problem> {
  const within = paths.map((path) => `:(top,literal)${path}`)
  const output = await git.run(['ls-files', '--stage', '-z', '--', ...within], { index })
  if (isProblem(output)) return output
  return splitNul(output).flatMap((line) => {
    const [, commit, path] = /^160000 ([0-9a-f]+) \d\t(.+)$/s.exec(line) ?? []
    return commit === undefined || path === undefined ? [] : [{ path, commit: commit as Commit }]
  })
}

// With core.safecrlf set, git would refuse to add files with mixed line endings.
const SETTINGS = ['core.safecrlf=false']
const ADD_ALL = ['add', '--all', '--ignore-errors', '--', '.']

async function addAll(
  git: Git,
  index: string,
  forced: readonly string[],
  settings: readonly string[],
): Promise<readonly string[] | Problem> {
  const answer = await git.ask(ADD_ALL, { index, settings })
  if ('kind' in answer) return answer
  const unnamed = unnamedIn(answer.stderr)
  if (answer.exitCode !== 0 && (answer.exitCode !== 1 || unnamed === null)) {
    return incomplete(gitProblem(ADD_ALL, git.place.folder, answer.stderr))
  }
  if (forced.length === 0) return unnamed ?? []
  const input = forced.map((path) => `:(top,literal)${path}\0`).join('')
  const more = ['add', '--force', '--pathspec-from-file=-', '--pathspec-file-nul']
  const added = await git.run(more, { index, input, settings })
  return isProblem(added) ? added : (unnamed ?? [])
}

/** Returns the nested repositories that git could not add, or null when there were other errors, too. */
function unnamedIn(stderr: string): readonly string[] | null {
  const errors = stderr.split('\n').filter((line) => /^(error|fatal):/.test(line))
  const paths = errors.map((line) => /^error: '(.+?)\/?' does not have a commit checked out$/.exec(line)?.[1])
  return paths.every((path) => path !== undefined) ? paths : null
}

function incomplete(cause: Problem): Problem {
  if (cause.code !== 'git-failed') return cause
  const hint = 'Make the files readable or add them to .gitignore, then retry.'
  return problem({ ...cause, code: 'files-unsaved', message: `Some files could not be saved: ${cause.message}`, hint })
}
