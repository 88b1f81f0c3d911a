import { TEST_FAILURES_MAX } from '../limits/limits.ts'
import type { Check } from '../model/effect.ts'
import { type Finding, finding, type Receipt, type TestFailure } from '../model/verdict.ts'
import { excerpt } from '../reading/text.ts'
import { percentText, testsText } from '../test-output/tests-text.ts'
import type { CheckRun } from './check-run.ts'

/** Part of a receipt that decides whether a check passed. */
type Outcome = Pick<Receipt, 'exitCode' | 'tests' | 'coverage'>

/** True when a check passed. Only exit code 0 passes; the output can turn that into a failure, never the reverse. */
export function isPassed(
  { coverage: least }: Pick<Check, 'coverage'>,
  { exitCode, tests, coverage }: Outcome,
): boolean {
  if (exitCode !== 0 || (tests !== null && tests.failed > 0)) return false
  return least === null || (coverage !== null && coverage >= least)
}

/** Attribution of a red check's failures. */
interface Blame {
  /** Failures of the work; all of them where nothing is excused. */
  readonly blamed?: readonly TestFailure[]
  readonly excuse?: string
  /** Fault of the environment, or null. */
  readonly fault?: string | null
}

/** Returns the findings of a red check: the command, its failed tests, its coverage. */
export function findingsOfCheck(
  check: Check,
  { receipt, failures, output }: Pick<CheckRun, 'receipt' | 'failures' | 'output'>,
  { blamed = failures, excuse = '', fault = null }: Blame = {},
): readonly Finding[] {
  const source = receipt.gate
  const shown = blamed.slice(0, TEST_FAILURES_MAX)
  const findings = shown.map((failure) => finding(source, failureText(failure), placeOf(failure)))
  const omitted = (excuse === '' ? (receipt.tests?.failed ?? 0) : blamed.length) - shown.length
  if (findings.length > 0 && omitted > 0) findings.push(finding(source, `and ${omitted} more failed`))
  const uncovered = coverageFault(check, receipt)
  if (uncovered !== null) findings.push(finding(source, uncovered))
  const isRed = receipt.exitCode !== 0 || (receipt.tests !== null && receipt.tests.failed > 0)
  return isRed ? [redFinding(receipt, output, excuse, fault), ...findings] : findings
}

function redFinding(receipt: Receipt, output: string, excuse: string, fault: string | null): Finding {
  const why = fault === null ? '' : `; the environment is at fault, not the work: ${fault}`
  const message = `${redText(receipt)}${excuse === '' ? '' : `; ${excuse}`}${why}`
  return finding(receipt.gate, message, { excerpt: excerpt(output), blames: fault === null ? 'work' : 'environment' })
}

function redText({ command, timedOut, exitCode, tests }: Receipt): string {
  const counted = tests === null ? '' : `: ${testsText(tests)}`
  if (timedOut) return `"${command}" timed out${counted}`
  if (exitCode === 0) return `"${command}" ended with exit code 0, but its output reports failed tests${counted}`
  if (exitCode === null) return `"${command}" ended without an exit code${counted}`
  return `"${command}" ended with exit code ${exitCode}${counted}`
}

function placeOf({ file, line }: TestFailure): Pick<Finding, 'file' | 'line'> {
  return { file, line }
}

function failureText({ name, file, message }: TestFailure): string {
  if (name === file) return message === '' ? 'failed' : message
  return `${name}${message === '' ? '' : `: ${message}`}`
}

function coverageFault({ run, coverage: least }: Check, { exitCode, coverage }: Receipt): string | null {
  if (least === null) return null
  const wanted = `${percentText(least)} is required`
  if (coverage !== null) return coverage < least ? `lines covered: ${percentText(coverage)}; ${wanted}` : null
  if (exitCode !== 0) return null
  return `lines covered: unknown; ${wanted}, so "${run}" has to print its coverage`
}
