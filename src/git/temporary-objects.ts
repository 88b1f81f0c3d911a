import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** File that git writes an object, a pack or its index to before it gives it its name. */
export interface TemporaryObject {
  readonly file: string
  readonly bytes: number
  readonly changedAt: number
}

/** Finds temporary objects in a git folder; a killed git leaves them behind. */
export async function findTemporaryObjects(gitDir: string): Promise<readonly TemporaryObject[]> {
  const objects = join(gitDir, 'objects')
  const folders = (await entriesOf(objects)).filter((entry) => entry.isDirectory() && FOLDER.test(entry.name))
  const places = [objects, ...folders.map(({ name }) => join(objects, name))]
  return (await Promise.all(places.map(temporaryIn))).flat()
}

const FOLDER = /^([0-9a-f]{2}|pack)$/
const TEMPORARY = /^tmp_(obj|pack|idx)_/

async function temporaryIn(folder: string): Promise<readonly TemporaryObject[]> {
  const files = (await entriesOf(folder)).filter((entry) => entry.isFile() && TEMPORARY.test(entry.name))
  const objects = files.map(async ({ name }): Promise<readonly TemporaryObject[]> => {
    const file = join(folder, name)
    const stats = await stat(file).catch(() => null) // finished meanwhile
    return stats === null ? [] : [{ file, bytes: stats.size, changedAt: stats.mtimeMs }]
  })
  return (await Promise.all(objects)).flat()
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []) // no such folder, nothing in it
}
