import { isProblem, type Problem } from '../core/model/problem.ts'

/** The value, unless it is a problem: that is thrown, for the one who started the effect. */
export function good<T>(value: T | Problem): T {
  if (isProblem(value)) throw value
  return value
}
