import type { Finding, TestCounts, TestNames } from '../model/verdict.ts'
import type { BaseRun } from './check-run.ts'
import { namesText } from './classify-failures.ts'
import { weakenedFinding } from './weakened.ts'

/** Returns findings about tests that a check had on the base and lost, or null when the outputs cannot be compared. */
export function lostTests(
  head: BaseRun,
  base: BaseRun,
  isRed: boolean,
  deleted: readonly string[],
): readonly Finding[] | null {
  const [now, then] = [head.receipt.tests, base.receipt.tests]
  if (then === null || total(then) === 0) return null
  if (now === null || now.framework !== then.framework)
    return isRed ? null : [otherOutput(head.receipt.gate, now, then)]
  const skipped = newlySkipped(head, base)
  // Tests of a crashed run have not disappeared; the check is reported as red.
  const vanished = isRed ? null : vanishedText(head, base)
  const { gate } = head.receipt
  return [
    ...(skipped === null ? [] : [weakenedFinding(`tests of the check ${gate} are skipped now: ${skipped}`, null)]),
    ...(vanished === null
      ? []
      : [weakenedFinding(`tests of the check ${gate} are gone: ${vanished}${fileText(deleted)}`, null)]),
  ]
}

/** Reports that the output no longer shows the tests that it showed on the base. */
function otherOutput(gate: string, now: TestCounts | null, then: TestCounts): Finding {
  const before = `${total(then)} tests of ${then.framework}`
  const after = now === null ? 'no tests at all' : `${total(now)} of ${now.framework} instead`
  return weakenedFinding(`the check ${gate} reported ${before} on the base and reports ${after}`, null)
}

/** Describes tests that ran before and are skipped now, or returns null. */
function newlySkipped({ receipt, names }: BaseRun, base: BaseRun): string | null {
  const [now, then] = [receipt.tests?.skipped ?? 0, base.receipt.tests?.skipped ?? 0]
  if (names.skipped.length !== now) return now > then ? `${now} instead of ${then}` : null
  const before = new Set([...base.names.passed, ...base.names.failed.map(({ name }) => name)].map(leaf))
  const ran = names.skipped.filter((name) => before.has(leaf(name)) && !base.names.skipped.includes(name))
  if (ran.length > 0) return namesText(ran)
  const isKnown = base.receipt.tests !== null && isWhole(base.names, base.receipt.tests)
  return isKnown || now <= then ? null : `${now} instead of ${then}`
}

/** Describes missing tests: fewer than before, or one that failed before and is gone. */
function vanishedText(head: BaseRun, base: BaseRun): string | null {
  const [now, then] = [head.receipt.tests, base.receipt.tests]
  if (now === null || then === null) return null
  // Without names a Go package counts as one test when it passes, and as its failed tests when it does not.
  if (now.framework === 'go' && then.failed > 0 && !isWhole(head.names, now)) return null
  const areKnown = isWhole(head.names, now) && isWhole(base.names, then)
  const gone = areKnown ? without(allOf(base.names), allOf(head.names)) : []
  if (total(now) < total(then))
    return `${total(now)} of ${total(then)} are left${gone.length === 0 ? '' : ` (${namesText(gone)})`}`
  const failed = new Set(base.names.failed.map(({ name }) => leaf(name)))
  const goneFailures = areKnown ? gone.filter((name) => failed.has(leaf(name))) : []
  return goneFailures.length === 0 ? null : `${namesText(goneFailures)}, which failed before`
}

function fileText(deleted: readonly string[]): string {
  return deleted.length === 0 ? '' : `; deleted test files: ${namesText(deleted)}`
}

function isWhole(names: TestNames, tests: TestCounts): boolean {
  const { passed, failed, skipped } = names
  return passed.length === tests.passed && failed.length === tests.failed && skipped.length === tests.skipped
}

function allOf({ passed, failed, skipped }: TestNames): readonly string[] {
  // A test file that could not be loaded is not a test.
  const tests = failed.filter(({ name, file }) => name !== file).map(({ name }) => name)
  return [...passed, ...tests, ...skipped]
}

/** Returns the names of a list that another lacks, or has less often. */
function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>()
  for (const name of others) left.set(leaf(name), (left.get(leaf(name)) ?? 0) + 1)
  return names.filter((name) => {
    const count = left.get(leaf(name)) ?? 0
    left.set(leaf(name), count - 1)
    return count <= 0
  })
}

function total({ passed, failed, skipped }: TestCounts): number {
  return passed + failed + skipped
}

/** Returns the last part of a test's name, because some frameworks print the full path only for failures. */
function leaf(name: string): string {
  return name.split(/ [>›] /).at(-1) ?? name
}
