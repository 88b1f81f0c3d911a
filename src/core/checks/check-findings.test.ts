import { describe, expect, test } from 'vitest'
import type { Check } from '../model/effect.ts'
import type { Receipt, TestCounts, TestFailure } from '../model/verdict.ts'
import { findingsOfCheck, isPassed } from './check-findings.ts'

const CHECK: Check = { name: 'tests', run: 'npm test', onFail: 'block', timeoutMs: 1000, coverage: null, canary: null }
const RED: TestFailure = { name: 'adds', file: 'src/sum.test.ts', line: 6, message: 'expected 3 to be 1' }

function counts(failed: number): TestCounts {
  return { framework: 'vitest', passed: 142, failed, skipped: 0, durationMs: 900 }
}

function receipt(given: Partial<Receipt>): Receipt {
  const known = { gate: 'tests', command: 'npm test', timedOut: false, tests: null, coverage: null, exitCode: 0 }
  return { ...known, ...given } as Receipt
}

function messages(check: Check, given: Partial<Receipt>, failures: readonly TestFailure[] = []): readonly string[] {
  return findingsOfCheck(check, { receipt: receipt(given), failures, output: 'text' }).map(({ message }) => message)
}

describe('a check', () => {
  test.each([
    ['exit code 0 and nothing read', null, { exitCode: 0, tests: null, coverage: null }, true],
    ['exit code 0 and no failure', null, { exitCode: 0, tests: counts(0), coverage: null }, true],
    ['exit code 0 and a failure in the output', null, { exitCode: 0, tests: counts(1), coverage: null }, false],
    ['exit code 1 and no failure in the output', null, { exitCode: 1, tests: counts(0), coverage: 1 }, false],
    ['no exit code', null, { exitCode: null, tests: counts(0), coverage: 1 }, false],
    ['coverage as asked for', 0.8, { exitCode: 0, tests: null, coverage: 0.8 }, true],
    ['coverage below', 0.8, { exitCode: 0, tests: null, coverage: 0.79 }, false],
    ['unknown coverage', 0.8, { exitCode: 0, tests: counts(0), coverage: null }, false],
  ])('with %s', (_, coverage, outcome, passes) => {
    expect(isPassed({ coverage }, outcome)).toBe(passes)
    const findings = findingsOfCheck({ ...CHECK, coverage }, { receipt: receipt(outcome), failures: [], output: '' })
    expect(findings.length === 0).toBe(passes)
  })

  test('that is red reports what failed, where, and why', () => {
    expect(messages(CHECK, { exitCode: 1, tests: counts(3) }, [RED, { ...RED, line: null, message: '' }])).toEqual([
      '"npm test" ended with exit code 1: 142 passed, 3 failed (vitest)',
      'adds: expected 3 to be 1',
      'adds',
      'and 1 more failed',
    ])
  })

  test('whose output contradicts its exit code is reported', () => {
    expect(messages(CHECK, { tests: counts(1) })).toEqual([
      '"npm test" ended with exit code 0, but its output reports failed tests: 142 passed, 1 failed (vitest)',
    ])
  })

  test('with too little coverage reports the share, and without any that it must be printed', () => {
    const asking = { ...CHECK, coverage: 0.8 }
    expect(messages(asking, { coverage: 0.7125 })).toEqual(['lines covered: 71.3%; 80% is required'])
    expect(messages(asking, {})).toEqual([
      'lines covered: unknown; 80% is required, so "npm test" has to print its coverage',
    ])
    expect(messages(asking, { exitCode: 2 })).toEqual(['"npm test" ended with exit code 2'])
  })
})
