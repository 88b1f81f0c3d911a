import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { isProblem, type Problem } from '../core/model/problem.ts'
import { splitZero } from './git.ts'
import type { FoundRepository } from './repository.ts'

/** One checkout of a repository. */
export interface Worktree {
  readonly folder: string
  /** What it is on: the branch checked out, or the one it will come back to; null: none. */
  readonly branch: string | null
  /** What the user is in the middle of there. */
  readonly busyWith: string | null
}

/** The checkouts of a repository whose folders are there. */
export async function listWorktrees(repository: FoundRepository): Promise<readonly Worktree[] | Problem> {
  const output = await repository.git.run(['worktree', 'list', '--porcelain', '-z'])
  if (isProblem(output)) return output
  const records = output.split('\0\0').map((record) => splitZero(`${record}\0`))
  return records.flatMap((lines, index) => {
    const listed = fieldOf(lines, 'worktree')
    if (listed === null) return []
    const folder = index === 0 ? (repository.mainCheckout ?? listed) : listed
    return worktreeAt(folder, fieldOf(lines, 'branch')) ?? []
  })
}

/** The checkout in a folder, with what is checked out in it; null when there is none. */
export function worktreeAt(folder: string, checkedOut: string | null): Worktree | null {
  const gitDir = gitDirOf(folder)
  if (gitDir === null) return null
  const started = BRANCH_RECORDS.map((name) => textOf(join(gitDir, name))).find((text) => text !== '')
  const branch = (checkedOut ?? started ?? '').trim().replace(/^refs\/heads\//, '')
  const busyWith = STATES.find(([name]) => existsSync(join(gitDir, name)))?.[1] ?? null
  return { folder, branch: branch || null, busyWith }
}

const BRANCH_RECORDS = ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START']

const STATES: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['BISECT_START', 'a bisect'],
  ['index.lock', 'another git command (index.lock is there)'],
]

function fieldOf(lines: readonly string[], key: string): string | null {
  return lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1) ?? null
}

/** The git folder of a checkout, which may be named by a file; null when there is none. */
export function gitDirOf(folder: string): string | null {
  const path = join(folder, '.git')
  if (existsSync(join(path, 'HEAD'))) return path
  const named = /^gitdir: (.+)$/m.exec(textOf(path))?.[1]
  if (named === undefined) return null
  const gitDir = isAbsolute(named) ? named : join(folder, named)
  return existsSync(join(gitDir, 'HEAD')) ? gitDir : null
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // not there, or a folder
  }
}
