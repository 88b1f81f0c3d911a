import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { isProblem, type Problem } from '../core/model/problem.ts'
import { splitNul } from './git.ts'
import type { FoundRepository } from './repository.ts'

/** Checkout of a repository. */
export interface Worktree {
  readonly folder: string
  /** Branch that is checked out or that a rebase or bisect returns to, or null. */
  readonly branch: string | null
  /** Git operation that the user has not finished there, or null. */
  readonly busyWith: string | null
}

/** Lists the checkouts of a repository whose folders exist. */
export async function listWorktrees(repository: FoundRepository): Promise<readonly Worktree[] | Problem> {
  const output = await repository.git.run(['worktree', 'list', '--porcelain', '-z'])
  if (isProblem(output)) return output
  const records = output.split('\0\0').map((record) => splitNul(`${record}\0`))
  return records.flatMap((lines, index) => {
    const listed = fieldOf(lines, 'worktree')
    if (listed === null) return []
    const folder = index === 0 ? (repository.mainCheckout ?? listed) : listed
    return worktreeAt(folder, fieldOf(lines, 'branch')) ?? []
  })
}

/** Returns the checkout in a folder, or null. */
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
  ['index.lock', 'another git command (index.lock exists)'],
]

function fieldOf(lines: readonly string[], key: string): string | null {
  return lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1) ?? null
}

/** Returns the git folder of a checkout, which a .git file may point to, or null. */
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
    return '' // missing, or a folder
  }
}
