import type { ProblemCode } from './problem-codes.ts'

/** Expected failure, with a message for people. */
export interface Problem {
  readonly kind: 'problem'
  readonly code: ProblemCode
  /** Names the thing and the failure. */
  readonly message: string
  /** Names the reader's next step. */
  readonly hint: string
  /** Says whether a retry can help, and whether a person has to act first. */
  readonly retry: 'never' | 'later' | 'person'
  readonly cause?: unknown
}

/** Creates a problem. */
export function problem(fields: Omit<Problem, 'kind'>): Problem {
  return { kind: 'problem', ...fields }
}

/** True for a problem, false for any other value. */
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

/** True for problems of the machine, which every other attempt would meet too. */
export function isMachineWide({ code }: Problem): boolean {
  return MACHINE_WIDE.has(code)
}

const MACHINE_WIDE: ReadonlySet<ProblemCode> = new Set([
  'disk-full',
  'disk-read-only',
  'state-unwritable',
  'state-lost',
  'state-newer',
  'repository-gone',
  'git-missing',
])
