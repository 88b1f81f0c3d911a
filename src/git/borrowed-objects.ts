import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Lists the folders of objects that a git folder of ours and those of its submodules borrow, and that these borrow. */
export function borrowedObjects(gitDir: string): readonly string[] {
  const folders = new Set<string>()
  follow(join(gitDir, 'objects'), folders)
  for (const name of namesIn(join(gitDir, 'modules'))) {
    for (const folder of borrowedObjects(join(gitDir, 'modules', name))) folders.add(folder)
  }
  return [...folders]
}

function follow(objects: string, folders: Set<string>): void {
  for (const line of alternatesOf(objects)) {
    const folder = resolve(objects, line)
    if (folders.has(folder)) continue
    folders.add(folder)
    follow(folder, folders)
  }
}

function alternatesOf(objects: string): readonly string[] {
  const lines = textOf(join(objects, 'info', 'alternates')).split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map(unquoted)
}

function unquoted(line: string): string {
  return line.startsWith('"') ? line.slice(1, -1).replaceAll('\\n', '\n').replaceAll(/\\(.)/g, '$1') : line
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // it borrows nothing
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // no submodules
  }
}
