import type { Receipt } from '../model/verdict.ts'

/** Returns the fault of the machine or its software behind a red check, or null when the work may be to blame. */
export function environmentFault({ exitCode, timedOut, tests }: Receipt, output: string): string | null {
  if (exitCode === 127) return 'a command was not found'
  if (exitCode === 126) return 'a command is not executable'
  if (exitCode === 137) return 'it was killed, perhaps out of memory'
  if (exitCode === null && !timedOut) return 'it could not start, or was killed'
  if (exitCode !== 0 && tests === null && FULL.test(output)) return 'the disk is full'
  return null
}

const FULL = /\bENOSPC\b|No space left on device/
