import type { Receipt } from '../model/verdict.ts'

/** What is wrong with the machine or what is installed on it, by how a red check ended; null: the work may be to blame. */
export function environmentFault({ exitCode, timedOut, tests }: Receipt, output: string): string | null {
  if (exitCode === 127) return 'a command was not found'
  if (exitCode === 126) return 'a command may not be run'
  if (exitCode === 137) return 'it was killed, perhaps for want of memory'
  if (exitCode === null && !timedOut) return 'it could not be started, or was killed'
  if (exitCode !== 0 && tests === null && FULL.test(output)) return 'the disk is full'
  return null
}

const FULL = /\bENOSPC\b|No space left on device/
