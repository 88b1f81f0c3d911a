import { type Problem, problem } from './problem.ts'

/** Describes a disk that is full or read-only, by the system's name for the error; null for other errors. */
export function diskProblem(systemCode: string, path: string, cause: unknown): Problem | null {
  if (FULL.has(systemCode)) {
    return problem({
      code: 'disk-full',
      message: `The disk that holds ${path} is full.`,
      hint: 'Free some space there, then run the command again. Earlier facts and saved work are safe.',
      retry: 'later',
      cause,
    })
  }
  if (systemCode !== 'EROFS') return null
  return problem({
    code: 'disk-read-only',
    message: `The disk that holds ${path} is read-only.`,
    hint: 'Mount it for writing again, then run the command again. Earlier facts and saved work are safe.',
    retry: 'later',
    cause,
  })
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])
