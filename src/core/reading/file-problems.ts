import { type Problem, problem } from '../model/problem.ts'
import type { ProblemCode } from '../model/problem-codes.ts'

/** Fault in a file, with its line. */
export interface PlacedFault {
  readonly code: ProblemCode
  /** Line from 1, or null for the file as a whole. */
  readonly line: number | null
  readonly message: string
  readonly hint: string
}

const FAULTS_SHOWN_MAX = 20

/** Returns problems with file and line: the first ones, sorted by line, and the number of the rest. */
export function placedProblems<F>(
  file: string,
  faults: readonly F[],
  place: (fault: F) => PlacedFault,
  shownMax = FAULTS_SHOWN_MAX,
): readonly Problem[] {
  const first = faults.slice(0, shownMax).map(place)
  const shown = first.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).map((fault) => placed(file, fault))
  const more = faults.length - shown.length
  return more === 0 ? shown : [...shown, andMore(file, more)]
}

/** Returns one problem for a whole file that lists its faults. */
export function fileProblem<F>(
  file: string,
  faults: readonly F[],
  place: (fault: F) => PlacedFault,
  { code, hint }: Pick<Problem, 'code' | 'hint'>,
): Problem {
  const problems = placedProblems(file, faults, place)
  const message = problems.map((each) => `${each.message} ${each.hint}`.trim()).join('\n')
  return problem({ code, message, hint, retry: 'never' })
}

function placed(file: string, { code, line, message, hint }: PlacedFault): Problem {
  const where = line === null ? file : `${file}:${line}`
  return problem({ code, message: `${where}: ${message}`, hint, retry: 'never' })
}

function andMore(file: string, more: number): Problem {
  return problem({
    code: 'more-faults',
    message: `${file}: and ${more} more.`,
    hint: 'Fix these first; the rest is shown then.',
    retry: 'never',
  })
}

/** Returns the reason why a file could not be read; unusual errors keep the system's text. */
export function unreadableReason(cause: unknown): string {
  const { code = '' } = cause as { readonly code?: string }
  return REASONS[code] ?? String(cause)
}

/** Returns the reason why a file could not be written; unusual errors keep the system's text. */
export function unwritableReason(cause: unknown): string {
  const { code = '' } = cause as { readonly code?: string }
  return UNWRITABLE[code] ?? String(cause)
}

const UNWRITABLE: Readonly<Record<string, string>> = {
  EACCES: 'you have no permission to write there',
  EPERM: 'you have no permission to write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'there is a folder of that name',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'you have no permission to read it',
}
