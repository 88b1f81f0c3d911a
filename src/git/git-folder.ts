import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Setting, settingsText } from './settings.ts'

/** Git folder to write, which borrows the objects of a source. */
export interface GitFolderOrder {
  /** Git folder of the source. */
  readonly sourceDir: string
  readonly objectFormat: string
  readonly settings: readonly Setting[]
}

// Writes only the files that git needs, and `info`, where agents and setup commands put exclusions; git creates the rest
// when it needs it. Each file costs time, and the whole process is blocked meanwhile.

/** Writes a git folder without refs; the caller adds HEAD. */
export function writeGitFolder(gitDir: string, { sourceDir, objectFormat, settings }: GitFolderOrder): void {
  for (const part of ['objects/info', 'info', 'refs']) mkdirSync(join(gitDir, part), { recursive: true })
  writeFileSync(join(gitDir, 'objects', 'info', 'alternates'), `${alternate(join(sourceDir, 'objects'))}\n`)
  writeFileSync(join(gitDir, 'config'), settingsText([...formatOf(objectFormat), ...settings]))
  unlessMissing(() => copyFileSync(join(sourceDir, 'shallow'), join(gitDir, 'shallow')))
  copyInfo(sourceDir, gitDir)
}

/** Returns what a read gives, or undefined when the file is missing. */
export function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    return undefined
  }
}

// The exclude file that git init creates has only comments and is not copied.
function copyInfo(sourceDir: string, gitDir: string): void {
  for (const name of ['exclude', 'attributes']) {
    const text = unlessMissing(() => readFileSync(join(sourceDir, 'info', name), 'latin1')) ?? ''
    if (/^(?!#)./m.test(text)) writeFileSync(join(gitDir, 'info', name), text, 'latin1')
  }
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

// Quoted only where needed: a local `git clone` of the clone, and programs that read git folders themselves, do not
// understand quotes.
function alternate(path: string): string {
  return !path.includes('\n') ? path : `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
}
