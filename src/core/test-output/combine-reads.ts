import type { TestFailure } from '../model/verdict.ts'
import type { TestOutputRead } from './test-output-read.ts'

/** Combines a runner's report with what its output shows: the report counts, and failures that only the output has. */
export function combineReads(report: TestOutputRead | null, output: TestOutputRead): TestOutputRead {
  if (report === null || report.tests === null) return output
  if (output.tests === null) return { ...report, coverage: output.coverage }
  const missing = output.failures.filter((failure) => !report.failures.some((known) => isSame(known, failure)))
  const reported = report.failures.map((failure) => completed(failure, output.failures))
  const failures = [...reported, ...missing]
  const failed = Math.max(report.tests.failed + missing.length, output.tests.failed)
  const framework = GENERIC.has(report.tests.framework) ? output.tests.framework : report.tests.framework
  return {
    tests: { ...report.tests, framework, failed },
    failures,
    names: { ...report.names, failed: failures.map(({ name, file }) => ({ name, file })) },
    coverage: output.coverage,
  }
}

// Some runners leave out places or messages in one of both.
function completed(failure: TestFailure, shown: readonly TestFailure[]): TestFailure {
  if (failure.line !== null && failure.message !== '') return failure
  const same = shown.find((other) => isSame(other, failure))
  if (same === undefined) return failure
  const place = failure.line === null && same.line !== null ? { file: same.file, line: same.line } : {}
  return { ...failure, ...place, message: failure.message || same.message }
}

/** True when two failures are of one test; some runners print only the last part of a name. */
function isSame(a: TestFailure, b: TestFailure): boolean {
  if (a.file !== null && b.file !== null && !endsWithPath(a.file, b.file) && !endsWithPath(b.file, a.file)) return false
  const [first, second] = [nameOf(a), nameOf(b)]
  return first === second || first.endsWith(` ${second}`) || second.endsWith(` ${first}`)
}

function nameOf({ name }: TestFailure): string {
  return name.replaceAll(/ [>›] /g, ' ')
}

function endsWithPath(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`)
}

const GENERIC = new Set(['junit', 'tap'])
