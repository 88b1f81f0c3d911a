import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ProcessKey, parseStat } from './process-table.ts'

/** A recorded start; no key when the record is empty, broken, or from before the machine's last boot. */
export interface PidFile {
  readonly path: string
  readonly key: ProcessKey | null
}

/** Ending of the names of pid files; other files in their folder are ignored. */
export const PID_FILE_SUFFIX = '.pid'

/** Reads all pid files of a folder; none when the folder is missing. */
export function readPidFiles(pidFolder: string): readonly PidFile[] {
  return namesIn(pidFolder)
    .filter((name) => name.endsWith(PID_FILE_SUFFIX))
    .map((name) => readPidFile(join(pidFolder, name)))
}

/** Identifies the machine's current boot. */
export function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id').trim()
}

function readPidFile(path: string): PidFile {
  const [boot, stat] = readText(path).split('\n')
  const entry = boot === bootId() && stat !== undefined ? parseStat(stat) : null
  return { path, key: entry === null ? null : { pid: entry.pid, startTime: entry.startTime } }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw cause
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // gone since it was listed, or a kernel without it
  }
}

/** Removes the record of an ended process. */
export function removePidFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // On a disk that turned read-only it stays; readers ignore records of processes that are gone.
  }
}
