import { type Decision, refused } from '../model/input.ts'
import { problem } from '../model/problem.ts'
import type { ProblemCode } from '../model/problem-codes.ts'

/** Refuses a request; trying again does not help. */
export function refusal(code: ProblemCode, message: string, hint: string): Decision<never> {
  return refused(problem({ code, message, hint, retry: 'never' }))
}
