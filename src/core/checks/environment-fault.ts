import type { Receipt } from '../model/verdict.ts'

/** Returns the fault of the machine or its software that a red check looks like, or null when the work is to blame. */
export function environmentFault({ exitCode, timedOut }: Receipt, output: string): string | null {
  if (exitCode === 0) return null
  if (exitCode === null) return timedOut ? null : 'it could not start, or was killed'
  return EXIT_FAULTS[exitCode] ?? OUTPUT_FAULTS.find(([pattern]) => pattern.test(output))?.[1] ?? null
}

/** Exit codes of shells for programs that did not run, crashed or were killed. */
const EXIT_FAULTS: Readonly<Record<number, string>> = {
  126: 'a command is not executable',
  127: 'a command was not found',
  134: 'a program crashed',
  137: 'it was killed, perhaps out of memory',
  139: 'a program crashed',
  143: 'it was ended by a signal',
}

const OUTPUT_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/\bENOSPC\b|No space left on device/, 'the disk is full'],
  [/\bENOMEM\b|Cannot allocate memory|heap out of memory/, 'memory ran out'],
  [/\bEADDRINUSE\b|[Aa]ddress already in use/, 'a port is in use'],
  [/\bECONNREFUSED\b|[Cc]onnection refused/, 'a service refused the connection'],
]
