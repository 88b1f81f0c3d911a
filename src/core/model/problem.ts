import type { ProblemCode } from './problem-codes.ts'

/** An expected failure, told to a person. */
export interface Problem {
  readonly kind: 'problem'
  readonly code: ProblemCode
  /** What happened, to which thing. */
  readonly message: string
  /** What the reader does next. */
  readonly hint: string
  /** Whether trying the same again can help, and whose turn it is. */
  readonly retry: 'never' | 'later' | 'person'
  readonly cause?: unknown
}

/** Makes a problem. */
export function problem(given: Omit<Problem, 'kind'>): Problem {
  return { kind: 'problem', ...given }
}

/** Tells a problem from a value. */
export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'problem'
}

/** Carries problems through a throw, up to the boundary of an effect or a verb. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join('\n'), { cause: problems[0]?.cause })
    this.problems = problems
  }
}

/** Returns the value, or throws the problem for the boundary above. */
export function unwrap<T>(value: T | Problem): T {
  if (isProblem(value)) throw new ProblemError(value)
  return value
}

/** Returns the first problem that an exception carries, or null for a bug. */
export function carriedProblem(error: unknown): Problem | null {
  return error instanceof ProblemError ? (error.problems[0] ?? null) : null
}

/** Problems of the machine: no attempt is to blame, and every other attempt would meet them too. */
export function isMachineWide(given: Problem): boolean {
  return MACHINE_WIDE.has(given.code)
}

const MACHINE_WIDE: ReadonlySet<ProblemCode> = new Set([
  'disk-full',
  'state-unwritable',
  'repository-gone',
  'git-missing',
])
