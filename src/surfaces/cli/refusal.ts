import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { ProblemCode } from '../../core/model/problem-codes.ts'

/** Ends a verb with what is wrong; the one place that catches it tells the user. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems[0]?.message ?? 'refused')
    this.problems = problems
  }
}

/** The value, unless it is a problem: that ends the verb. */
export function need<T>(value: T | Problem): T {
  if (isProblem(value)) throw new Refusal([value])
  return value
}

/** Ends the verb with one problem of the caller's. */
export function refuse(code: ProblemCode, message: string, hint: string): never {
  throw new Refusal([problem({ code, message, hint, retry: 'person' })])
}
