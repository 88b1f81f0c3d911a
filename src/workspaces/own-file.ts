import { lstat, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PROGRESS_FOLDER } from '../core/prompts/progress.ts'
import type { Place } from './places.ts'

/** Makes room for a file of ours below the folder that no commit has; null where that folder is not ours. */
export async function ownFile({ tree }: Place, path: string): Promise<string | null> {
  const file = join(tree, path)
  const [ours, folder] = [join(tree, PROGRESS_FOLDER), dirname(file)]
  try {
    // Whatever an agent has put in the way: nothing of ours is ever written through a link.
    if (!(await lstat(ours)).isDirectory() || (await readFile(join(ours, '.gitignore'), 'utf8')) !== '*\n') return null
    await mkdir(folder, { recursive: true })
    if (!(await lstat(folder)).isDirectory()) return null
    await rm(file, { recursive: true, force: true })
    return file
  } catch {
    return null // no workspace, no such folder, or no room: checks go on without
  }
}
