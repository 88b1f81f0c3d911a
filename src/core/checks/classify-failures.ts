import type { Check } from '../model/effect.ts'
import type { Finding, Receipt, TestFailure } from '../model/verdict.ts'
import { findingsOfCheck } from './check-findings.ts'
import { type BaseRun, type CheckRun, isReadable, testKey } from './check-run.ts'

/** Conclusion on a check, without tests that failed before the work and flaky tests. */
export interface CheckConclusion {
  readonly passes: boolean
  /** Receipts of all runs. */
  readonly receipts: readonly Receipt[]
  readonly findings: readonly Finding[]
}

/** True when a red check should run again, because the work alone seems to be to blame. */
export function needsSecondRun(check: Check, run: CheckRun, base: readonly BaseRun[]): boolean {
  return !run.receipt.passed && isReadable(run, check) && failedAnew(check, run, base).length > 0
}

/** Attributes the failures of a check, by its runs on the same files, its runs before the work, and a fault of the environment. */
export function classifyFailures(
  check: Check,
  runs: readonly CheckRun[],
  base: readonly BaseRun[],
  fault: string | null = null,
): CheckConclusion {
  const receipts = runs.map(({ receipt }) => receipt)
  const last = runs.at(-1)
  if (last === undefined) throw new Error(`${check.name} has not run`)
  if (!last.receipt.passed && !isReadable(last, check)) {
    return { passes: false, receipts, findings: findingsOfCheck(check, last, { fault }) }
  }
  const blamed = runs.length === 1 ? failedAnew(check, last, base) : failedTwice(check, runs, base)
  const excuse = excuseText(check, runs, base)
  const excused = runs.map(({ receipt }) => (receipt.passed || excuse === '' ? receipt : { ...receipt, excuse }))
  if (blamed.length === 0) return { passes: true, receipts: excused, findings: [] }
  return { passes: false, receipts: excused, findings: findingsOfCheck(check, last, { blamed, excuse, fault }) }
}

/** Returns the failed tests of a run that did not fail before the work. */
function failedAnew(check: Check, run: CheckRun, base: readonly BaseRun[]): readonly TestFailure[] {
  if (run.receipt.passed) return []
  const known = failedBefore(check, run, base)
  const seen = new Map<string, number>()
  return run.failures.filter((failure) => {
    const key = testKey(failure)
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return count > (known.get(key) ?? 0)
  })
}

/** Counts the failures of each test on the base, in runs with the same exit code. */
function failedBefore(check: Check, { receipt }: CheckRun, base: readonly BaseRun[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>()
  for (const run of base) {
    if (run.receipt.exitCode !== receipt.exitCode || !isReadable(run, check)) continue
    for (const [key, count] of counted(run.names.failed.map(testKey)))
      most.set(key, Math.max(count, most.get(key) ?? 0))
  }
  return most
}

function failedTwice(check: Check, runs: readonly CheckRun[], base: readonly BaseRun[]): readonly TestFailure[] {
  const [first = [], second = []] = runs.map((run) => failedAnew(check, run, base))
  const again = new Set(first.map(testKey))
  return second.filter((failure) => again.has(testKey(failure)))
}

/** Describes failures that the work is not blamed for: "3 failed before this work, too; flaky: adds". */
function excuseText(check: Check, runs: readonly CheckRun[], base: readonly BaseRun[]): string {
  const last = runs.findLast(({ receipt }) => !receipt.passed)
  if (last === undefined) return ''
  const before = last.failures.length - failedAnew(check, last, base).length
  const flaky = flakyNames(check, runs, base)
  return [
    ...(before === 0 ? [] : [`${before} failed before this work, too`]),
    ...(flaky.length === 0 ? [] : [`flaky: ${namesText(flaky)}`]),
  ].join('; ')
}

/** Returns the tests that failed in only one of two runs on the same files. */
function flakyNames(check: Check, runs: readonly CheckRun[], base: readonly BaseRun[]): readonly string[] {
  if (runs.length < 2) return []
  const twice = new Set(failedTwice(check, runs, base).map(testKey))
  const once = runs.flatMap((run) => failedAnew(check, run, base)).filter((failure) => !twice.has(testKey(failure)))
  return [...new Set(once.map(({ name }) => name))]
}

function counted(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** Lists a few names and the number of the rest. */
export function namesText(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN_MAX
  return `${names.slice(0, NAMES_SHOWN_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const NAMES_SHOWN_MAX = 5
