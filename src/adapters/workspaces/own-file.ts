import { lstatSync, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PROGRESS_FOLDER } from '../../core/prompts/workspace-files.ts'
import { readPlainFile } from '../../files/read-plain-file.ts'
import type { ClonePaths } from './clone-paths.ts'

/** Prepares the path of a file of ours inside the ignored notes folder; null when that folder is not ours. */
export async function ownFile({ tree }: ClonePaths, path: string): Promise<string | null> {
  const file = join(tree, path)
  const [ours, folder] = [join(tree, PROGRESS_FOLDER), dirname(file)]
  try {
    // An agent may have put symbolic links here, and nothing of ours is written through a link.
    if (!lstatSync(ours).isDirectory() || !isIgnored(ours)) return null
    mkdirSync(folder, { recursive: true })
    if (!lstatSync(folder).isDirectory()) return null
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) await rm(file, { recursive: true })
    return file
  } catch {
    return null // no workspace, no such folder, or a full disk: checks go on without the file
  }
}

function isIgnored(folder: string): boolean {
  return readPlainFile(join(folder, '.gitignore'), IGNORE_ALL.length) === IGNORE_ALL
}

const IGNORE_ALL = '*\n'
