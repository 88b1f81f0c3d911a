import { appendFile, copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Commit } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Git } from './git.ts'
import { withFiles } from './git-problem.ts'
import { type Setting, settingsText } from './settings.ts'

/** A clone to make: where from, where, and what is checked out in it. */
export interface CloneOrder {
  /** Git with the source repository named outright. */
  readonly source: Git
  readonly sourceDir: string
  readonly objectFormat: string
  readonly folder: string
  readonly commit: Commit
  /** The branch to be on; null: none. */
  readonly branch: string | null
  readonly settings: readonly Setting[]
  /** Gets the index that was made with the files; whoever keeps it can add to it without the clone's help. */
  readonly index: string
  readonly signal: AbortSignal
}

/** Makes a clone that borrows the source's objects, as `git clone --shared` does, in a third of its time; no remote. */
export async function makeSharedClone(order: CloneOrder): Promise<Problem | null> {
  const { source, folder, commit, branch, index, signal } = order
  const made = await withFiles(folder, () => mkdir(folder, { recursive: true }))
  if (made !== null) return made
  const start = ['init', '--quiet', '--template=', `--object-format=${order.objectFormat}`]
  const begun = await source
    .at({ folder })
    .run([...start, `--initial-branch=${branch ?? 'none'}`, '--', folder], { signal })
  if (isProblem(begun)) return begun
  const borrowed = await withFiles(folder, () => borrow(order))
  if (borrowed !== null) return borrowed
  // With the source's own settings and filters, so that what a filter keeps in the source is found.
  const out = source.at({ folder, gitDir: order.sourceDir, workTree: folder })
  const filled = await out.run(['read-tree', '--reset', '-u', commit], { index, signal })
  if (isProblem(filled)) return filled
  return withFiles(folder, async () => {
    await copyFile(index, join(folder, '.git', 'index'))
    await checkOutAt(join(folder, '.git'), commit, branch)
  })
}

/** What a folder's git folder must have for git to work in it. */
export const CLONE_PARTS = ['HEAD', 'config', 'objects/info/alternates', 'refs'] as const

const OWN: readonly Setting[] = [
  { key: 'gc.auto', value: '0' },
  { key: 'maintenance.auto', value: 'false' },
  { key: 'core.hooksPath', value: '/dev/null' },
  { key: 'commit.gpgSign', value: 'false' },
  { key: 'tag.gpgSign', value: 'false' },
  { key: 'push.default', value: 'nothing' },
]

async function borrow({ sourceDir, folder, settings }: CloneOrder): Promise<void> {
  const gitDir = join(folder, '.git')
  await mkdir(join(gitDir, 'objects', 'info'), { recursive: true })
  await mkdir(join(gitDir, 'info'), { recursive: true })
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), `${quoted(join(sourceDir, 'objects'))}\n`)
  await appendFile(join(gitDir, 'config'), settingsText([...settings, ...OWN]))
  for (const name of ['shallow', 'info/exclude', 'info/attributes']) {
    await copyFile(join(sourceDir, name), join(gitDir, name)).catch(unlessMissing)
  }
  await copyTags(sourceDir, gitDir)
}

// Many builds take their version from the nearest tag.
async function copyTags(sourceDir: string, gitDir: string): Promise<void> {
  await cp(join(sourceDir, 'refs', 'tags'), join(gitDir, 'refs', 'tags'), { recursive: true }).catch(unlessMissing)
  const packed = await readFile(join(sourceDir, 'packed-refs'), 'utf8').catch(unlessMissing)
  const tags = packed?.match(/^#.*\n|^\S+ refs\/tags\/.*\n(\^.*\n)?/gm) ?? []
  if (tags.length > 0) await writeFile(join(gitDir, 'packed-refs'), tags.join(''))
}

// A new repository's refs are these files; asking git to write them would take a fifth of the whole time.
async function checkOutAt(gitDir: string, commit: Commit, branch: string | null): Promise<void> {
  const file = join(gitDir, branch === null ? 'HEAD' : `refs/heads/${branch}`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${commit}\n`)
}

function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

function unlessMissing(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'ENOENT') throw cause
}
