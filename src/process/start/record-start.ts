import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { bootId, PID_FILE_SUFFIX } from '../end/pid-files.ts'

/** Makes the folder of a pid file. */
export function makePidFolder(pidFile: string): void {
  if (!pidFile.endsWith(PID_FILE_SUFFIX)) throw new Error(`A pid file must end with ${PID_FILE_SUFFIX}: ${pidFile}`)
  mkdirSync(dirname(pidFile), { recursive: true })
}

/** Records a living process by boot id, pid and start time. */
export function recordStart(pidFile: string, pid: number): void {
  writeFileSync(pidFile, `${bootId()}\n${readFileSync(`/proc/${pid}/stat`, 'utf8')}`)
}
