import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** Makes a clone that borrows the source's objects, as `git clone --shared` does, in a tenth of its time; no remote. */
export async function makeSharedClone(order: CloneOrder): Promise<Problem | null> {
  const { source, folder, commit, index, signal } = order
  const failed = await withFiles(folder, () => mkdirSync(folder, { recursive: true }))
  if (failed !== null) return failed
  // With the source's own settings and filters, so that what a filter keeps in the source is found.
  const out = source.at({ folder, gitDir: order.sourceDir, workTree: folder })
  const filling = out.run(['read-tree', '--reset', '-u', commit], { index, signal })
  // Git has the source's git folder for this, so the clone's own is written meanwhile.
  const written = await withFiles(folder, () => writeRepository(order))
  const filled = await filling
  if (isProblem(filled)) return filled
  return written ?? withFiles(folder, () => copyFileSync(index, join(folder, '.git', 'index')))
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

// What git needs of what `git init` and a checkout would write, and `info`, where agents and setup write exclusions: the
// rest git makes itself when there is a use for it. Every file takes as long as all that is written into it, and everything
// else here stands still meanwhile.
function writeRepository({ sourceDir, folder, objectFormat, commit, branch, settings }: CloneOrder): void {
  const gitDir = join(folder, '.git')
  for (const part of ['objects/info', 'info', 'refs']) mkdirSync(join(gitDir, part), { recursive: true })
  writeFileSync(join(gitDir, 'objects', 'info', 'alternates'), `${alternate(join(sourceDir, 'objects'))}\n`)
  writeFileSync(join(gitDir, 'config'), settingsText([...formatOf(objectFormat), ...settings, ...OWN]))
  unlessMissing(() => copyFileSync(join(sourceDir, 'shallow'), join(gitDir, 'shallow')))
  copyInfo(sourceDir, gitDir)
  const refs = copyTags(sourceDir, gitDir, branch === null ? '' : `${commit} refs/heads/${branch}\n`)
  writeFileSync(join(gitDir, 'HEAD'), branch === null ? `${commit}\n` : `ref: refs/heads/${branch}\n`)
  if (refs !== '') writeFileSync(join(gitDir, 'packed-refs'), refs)
}

// An exclude file that git has put there holds nothing but remarks.
function copyInfo(sourceDir: string, gitDir: string): void {
  for (const name of ['exclude', 'attributes']) {
    const text = unlessMissing(() => readFileSync(join(sourceDir, 'info', name), 'latin1')) ?? ''
    if (/^(?!#)./m.test(text)) writeFileSync(join(gitDir, 'info', name), text, 'latin1')
  }
}

/** Copies loose tags, and gives the list of packed ones with a branch. Many builds take their version from the nearest tag. */
function copyTags(sourceDir: string, gitDir: string, branch: string): string {
  const [theirs, ours] = [join(sourceDir, 'refs', 'tags'), join(gitDir, 'refs', 'tags')]
  // The user may delete or pack them at this moment. Packed ones are read after loose ones, as git does.
  for (const name of unlessMissing(() => readdirSync(theirs)) ?? []) {
    unlessMissing(() => cpSync(join(theirs, name), join(ours, name), { recursive: true }))
  }
  const packed = unlessMissing(() => readFileSync(join(sourceDir, 'packed-refs'), 'utf8')) ?? ''
  const remarks = packed.match(/^#.*\n/gm) ?? []
  const tags = packed.match(/^\S+ refs\/tags\/.*\n(\^.*\n)?/gm) ?? []
  // In a list of refs, branches come before tags.
  return branch === '' && tags.length === 0 ? '' : [...remarks, branch, ...tags].join('')
}

function formatOf(objectFormat: string): readonly Setting[] {
  const isPlain = objectFormat === 'sha1'
  return [
    { key: 'core.repositoryformatversion', value: isPlain ? '0' : '1' },
    ...(isPlain ? [] : [{ key: 'extensions.objectformat', value: objectFormat }]),
    { key: 'core.filemode', value: 'true' },
    { key: 'core.bare', value: 'false' },
    { key: 'core.logallrefupdates', value: 'true' },
  ]
}

// Quoted only where it has to be: a local `git clone` of the clone, and programs that read git folders themselves, know no
// quotes.
function alternate(path: string): string {
  return !path.includes('\n') ? path : `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    return undefined
  }
}
