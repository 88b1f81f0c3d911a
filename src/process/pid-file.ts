import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ProcessKey, parseStat } from './process-table.ts'

/** A recorded start; no key when the record is empty, broken, or from before the machine's last start. */
export interface PidFile {
  readonly path: string
  readonly key: ProcessKey | null
}

/** How the names of pid files end; nothing else in their folder is looked at. */
export const PID_FILE_SUFFIX = '.pid'

/** Makes room for a record. */
export function makePidFolder(pidFile: string): void {
  if (!pidFile.endsWith(PID_FILE_SUFFIX)) throw new Error(`A pid file must end with ${PID_FILE_SUFFIX}: ${pidFile}`)
  mkdirSync(dirname(pidFile), { recursive: true })
}

/** Records a process that is there, by its pid and start time. */
export function recordStart(pidFile: string, pid: number): void {
  writeFileSync(pidFile, `${bootId()}\n${readFileSync(`/proc/${pid}/stat`, 'utf8')}`)
}

/** All pid files of a folder; none when the folder is missing. */
export function readPidFiles(pidFolder: string): readonly PidFile[] {
  return namesIn(pidFolder)
    .filter((name) => name.endsWith(PID_FILE_SUFFIX))
    .map((name) => readPidFile(join(pidFolder, name)))
}

let knownBootId: string | undefined

function bootId(): string {
  knownBootId ??= readText('/proc/sys/kernel/random/boot_id').trim()
  return knownBootId
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
    return '' // gone since it was listed, or a kernel that does not tell it
  }
}
