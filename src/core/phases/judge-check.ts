import type { Check } from '../model/effect.ts'
import { type Finding, finding, type Receipt, type TestFailure } from '../model/verdict.ts'
import { percentText, testsText } from '../test-output/tests-text.ts'
import { excerpt } from './retry-brief.ts'

/** What a check came to, as far as passing goes. */
type Outcome = Pick<Receipt, 'exitCode' | 'tests' | 'coverage'>

/** Whether a check passed. Only exit code 0 passes; what the output says can take that away, never give it. */
export function isPassed(
  { coverage: least }: Pick<Check, 'coverage'>,
  { exitCode, tests, coverage }: Outcome,
): boolean {
  if (exitCode !== 0 || (tests !== null && tests.failed > 0)) return false
  return least === null || (coverage !== null && coverage >= least)
}

/** What must change for a red check to pass: the command, its failed tests, its coverage. */
export function findingsOfCheck(
  check: Check,
  receipt: Receipt,
  { failures, output }: { readonly failures: readonly TestFailure[]; readonly output: string },
): readonly Finding[] {
  const source = receipt.gate
  const findings: Finding[] = failures.map((failure) => finding(source, failureText(failure), placeOf(failure)))
  const untold = (receipt.tests?.failed ?? 0) - failures.length
  if (findings.length > 0 && untold > 0) findings.push(finding(source, `and ${untold} more failed`))
  const uncovered = coverageFault(check, receipt)
  if (uncovered !== null) findings.push(finding(source, uncovered))
  const isRed = receipt.exitCode !== 0 || (receipt.tests !== null && receipt.tests.failed > 0)
  return isRed ? [finding(source, redText(receipt), { excerpt: excerpt(output) }), ...findings] : findings
}

function redText({ command, timedOut, exitCode, tests }: Receipt): string {
  const counted = tests === null ? '' : `: ${testsText(tests)}`
  if (timedOut) return `"${command}" took too long${counted}`
  if (exitCode === 0) return `"${command}" ended with exit code 0, but its output tells of failed tests${counted}`
  return `"${command}" ended with exit code ${exitCode}${counted}`
}

function placeOf({ file, line }: TestFailure): Pick<Finding, 'file' | 'line'> {
  return { file, line }
}

function failureText({ name, file, line, message }: TestFailure): string {
  const place = file === null ? '' : `${file}${line === null ? '' : `:${line}`} `
  return `${place}${name === file ? '' : name}${message === '' ? '' : `: ${message}`}`
}

function coverageFault({ run, coverage: least }: Check, { exitCode, coverage }: Receipt): string | null {
  if (least === null) return null
  const wanted = `${percentText(least)} is asked for`
  if (coverage !== null) return coverage < least ? `lines covered: ${percentText(coverage)}; ${wanted}` : null
  if (exitCode !== 0) return null
  return `lines covered: the output of "${run}" does not tell; ${wanted}, so the command has to print its coverage`
}
