import picocolors from 'picocolors'
import type { Problem } from '../../core/model/problem.ts'
import type { World } from './world.ts'

/** Where a verb says things: data on stdout, everything else on stderr. */
export interface Output {
  readonly isJson: boolean
  readonly colors: ReturnType<typeof picocolors.createColors>
  /** How wide a line may be; null: as wide as it gets. */
  readonly width: number | null
  /** Whether nobody reads stdout any more. */
  isClosed(): boolean
  /** A line for people; nothing with --json. */
  line(text: string): void
  /** A value for programs; nothing without --json. */
  json(value: unknown): void
  /** A remark beside the data. */
  remark(text: string): void
  problems(problems: readonly Problem[]): void
}

/** Output on the process's own streams; a reader that goes away stops nothing. */
export function openOutput({ stdout, stderr, environment }: World, isJson: boolean): Output {
  let isClosed = false
  stdout.on('error', () => {
    isClosed = true
  })
  // Without a terminal any more, there is nobody to tell.
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
