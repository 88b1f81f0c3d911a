import type { LineReader } from './line-readers.ts'
import type { Runs } from './runs.ts'

/** Reads the output of one test framework, and ignores the lines of others. */
export interface FormatReader extends LineReader {
  readonly framework: string
  readonly runs: Runs
  /** Reads one line; true when the line is a summary that only this framework prints. */
  read(line: string): boolean
}
