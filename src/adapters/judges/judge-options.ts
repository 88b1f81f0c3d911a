import type { Problem } from '../../core/model/problem.ts'

/** What a judge gets to know of the place where it is asked. */
export interface JudgeOptions {
  /** Puts values in the place of `$NAME`. */
  readonly resolveEnv: (env: Readonly<Record<string, string>>) => Readonly<Record<string, string>> | Problem
}

/** How much chance there is in a judge's answer. */
export const TEMPERATURE = 0.3
