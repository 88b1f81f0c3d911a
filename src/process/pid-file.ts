import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ProcessKey, parseStat } from './process-table.ts'

/** A recorded start; no key when the record is empty, broken, or from before the machine's last start. */
export interface PidFile {
  readonly path: string
  readonly key: ProcessKey | null
}

/** How the names of pid files end; nothing else in their folder is looked at. */
export const PID_FILE_SUFFIX = '.pid'

/** The arguments that make /bin/sh record its own pid and start time and then become the given program. */
export function recordedCommand(pidFile: string, command: readonly string[]): readonly string[] {
  if (!pidFile.endsWith(PID_FILE_SUFFIX)) throw new Error(`A pid file must end with ${PID_FILE_SUFFIX}: ${pidFile}`)
  mkdirSync(dirname(pidFile), { recursive: true })
  return ['-c', RECORD_AND_BECOME, pidFile, bootId(), ...command]
}

/** All pid files of a folder; none when the folder is missing. */
export function readPidFiles(pidFolder: string): readonly PidFile[] {
  return namesIn(pidFolder)
    .filter((name) => name.endsWith(PID_FILE_SUFFIX))
    .map((name) => readPidFile(join(pidFolder, name)))
}

// Everything comes in as an argument, so nothing is taken for shell text. Without a record the program must not run.
const RECORD_AND_BECOME =
  'IFS= read -r stat < "/proc/$$/stat" && printf \'%s\\n%s\\n\' "$1" "$stat" > "$0" && shift && exec "$@"; exit 125'

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
