import { lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PROGRESS_FOLDER } from '../../core/prompts/workspace-files.ts'
import type { ClonePaths } from './clone-paths.ts'

/** Makes room for a file of ours below the folder that no commit has; null where that folder is not ours. */
export async function ownFile({ tree }: ClonePaths, path: string): Promise<string | null> {
  const file = join(tree, path)
  const [ours, folder] = [join(tree, PROGRESS_FOLDER), dirname(file)]
  try {
    // Whatever an agent has put in the way: nothing of ours is ever written through a link. At once, as a check waits.
    if (!lstatSync(ours).isDirectory() || !isIgnored(ours)) return null
    mkdirSync(folder, { recursive: true })
    if (!lstatSync(folder).isDirectory()) return null
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) await rm(file, { recursive: true })
    return file
  } catch {
    return null // no workspace, no such folder, or no room: checks go on without
  }
}

function isIgnored(folder: string): boolean {
  const file = join(folder, '.gitignore')
  const found = lstatSync(file)
  // What is no plain file might never end.
  return found.isFile() && found.size === IGNORE_ALL.length && readFileSync(file, 'utf8') === IGNORE_ALL
}

const IGNORE_ALL = '*\n'
