import { ProblemError, problem } from '../../core/model/problem.ts'
import type { ProblemCode } from '../../core/model/problem-codes.ts'

/** Ends the verb with a problem that the user can solve. */
export function refuse(code: ProblemCode, message: string, hint: string): never {
  throw new ProblemError(problem({ code, message, hint, retry: 'person' }))
}
