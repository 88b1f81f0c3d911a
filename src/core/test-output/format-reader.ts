import type { Runs } from './runs.ts'

/** Reads the output of one test framework; it is offered every line and ignores those of others. */
export interface FormatReader {
  readonly framework: string
  readonly runs: Runs
  /** Reads one line; true when the line is a summary that only this framework prints. */
  read(line: string): boolean
}
