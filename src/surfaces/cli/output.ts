import picocolors from 'picocolors'
import type { Problem } from '../../core/model/problem.ts'
import type { World } from './world.ts'

/** Output of a verb: data on stdout, everything else on stderr. */
export interface Output {
  readonly isJson: boolean
  readonly colors: ReturnType<typeof picocolors.createColors>
  /** Columns of the terminal, or null for no limit. */
  readonly width: number | null
  /** True when the reader of stdout has closed it. */
  isClosed(): boolean
  /** Prints a line for people; ignored with --json. */
  line(text: string): void
  /** Prints a value for programs; ignored without --json. */
  json(value: unknown): void
  /** Prints a remark on stderr. */
  remark(text: string): void
  problems(problems: readonly Problem[]): void
}

/** Opens output on the process's streams; a closed pipe does not end the program. */
export function openOutput({ stdout, stderr, environment }: World, isJson: boolean): Output {
  let isClosed = false
  stdout.on('error', () => {
    isClosed = true
  })
  // The terminal is gone; there is nowhere to report this.
  stderr.on('error', () => {})
  const mayColor = (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb'
  const onErr = picocolors.createColors(mayColor && stderr.isTTY === true)
  const print = (text: string) => {
    if (!isClosed) stdout.write(`${text}\n`)
  }
  return {
    isJson,
    colors: picocolors.createColors(mayColor && stdout.isTTY === true),
    width: stdout.isTTY === true ? (stdout.columns ?? null) : null,
    isClosed: () => isClosed,
    line: (text) => (isJson ? undefined : print(text)),
    json: (value) => (isJson ? print(JSON.stringify(value)) : undefined),
    remark: (text) => void stderr.write(`${text}\n`),
    problems(problems) {
      for (const { message, hint } of problems) {
        stderr.write(`${onErr.red('longhaul:')} ${message}\n${hint === '' ? '' : `  ${hint}\n`}`)
      }
      const plain = problems.map(({ code, message, hint }) => ({ code, message, hint }))
      if (isJson) print(JSON.stringify({ problem: plain[0], problems: plain }))
    },
  }
}
