import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Commit } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Git } from './git.ts'
import { type GitFolderOrder, unlessMissing, writeGitFolder } from './git-folder.ts'
import { withFiles } from './git-problem.ts'
import type { Setting } from './settings.ts'

/** Clone to make, with its source and the commit to check out. */
export interface CloneOrder extends GitFolderOrder {
  /** Git that fills the folder, with a git folder that is not the clone's. */
  readonly out: Git
  readonly folder: string
  readonly commit: Commit
  /** Branch to check out, or null for a detached HEAD. */
  readonly branch: string | null
  /** Index of the files, with which they can be saved without trusting the clone. */
  readonly index: string
  readonly signal: AbortSignal
}

/**
 * Makes a clone that borrows the source's objects, ten times faster than `git clone --shared`; it has no remote and, as
 * yet, no index.
 */
export async function makeSharedClone(order: CloneOrder): Promise<Problem | null> {
  const { out, folder, commit, index, signal } = order
  // First, because filters may run programs of the repository, which find a complete clone.
  const failed = await withFiles(folder, () => {
    mkdirSync(folder, { recursive: true })
    writeRepository(order)
  })
  if (failed !== null) return failed
  const filled = await out.run(['read-tree', '--reset', '-u', commit], { index, signal })
  return isProblem(filled) ? filled : null
}

const OWN: readonly Setting[] = [
  { key: 'gc.auto', value: '0' },
  { key: 'maintenance.auto', value: 'false' },
  { key: 'core.hooksPath', value: '/dev/null' },
  { key: 'commit.gpgSign', value: 'false' },
  { key: 'tag.gpgSign', value: 'false' },
  { key: 'push.default', value: 'nothing' },
]

function writeRepository({ folder, commit, branch, ...order }: CloneOrder): void {
  const gitDir = join(folder, '.git')
  writeGitFolder(gitDir, { ...order, settings: [...order.settings, ...OWN] })
  const refs = copyTags(order.sourceDir, gitDir, branch === null ? '' : `${commit} refs/heads/${branch}\n`)
  writeFileSync(join(gitDir, 'HEAD'), branch === null ? `${commit}\n` : `ref: refs/heads/${branch}\n`)
  if (refs !== '') writeFileSync(join(gitDir, 'packed-refs'), refs)
}

/** Copies loose tags and returns packed ones with the branch; many builds derive their version from the nearest tag. */
function copyTags(sourceDir: string, gitDir: string, branch: string): string {
  const [theirs, ours] = [join(sourceDir, 'refs', 'tags'), join(gitDir, 'refs', 'tags')]
  // The user may pack tags at this moment, so packed ones are read after loose ones, as git does.
  for (const name of unlessMissing(() => readdirSync(theirs)) ?? []) {
    unlessMissing(() => cpSync(join(theirs, name), join(ours, name), { recursive: true }))
  }
  const packed = unlessMissing(() => readFileSync(join(sourceDir, 'packed-refs'), 'utf8')) ?? ''
  const comments = packed.match(/^#.*\n/gm) ?? []
  const tags = packed.match(/^\S+ refs\/tags\/.*\n(\^.*\n)?/gm) ?? []
  // packed-refs is sorted: branches come before tags.
  return branch === '' && tags.length === 0 ? '' : [...comments, branch, ...tags].join('')
}
