import { describe, expect, test } from 'vitest'
import type { Check } from '../model/effect.ts'
import type { Receipt, TestNames } from '../model/verdict.ts'
import type { CheckRun } from './check-run.ts'
import { classifyFailures, needsSecondRun } from './classify-failures.ts'
import { environmentFault } from './environment-fault.ts'
import { lostTests } from './lost-tests.ts'

const CHECK: Check = { name: 'tests', run: 'npm test', onFail: 'block', timeoutMs: 1, coverage: null, canary: null }

/** Returns a run in which these tests failed. */
function run(failed: readonly string[], more: Partial<Receipt> = {}, names: Partial<TestNames> = {}): CheckRun {
  const passed = failed.length === 0
  const tests = { framework: 'vitest', passed: 3, failed: failed.length, skipped: 0, durationMs: null }
  const receipt = {
    gate: 'tests',
    command: 'npm test',
    passed,
    exitCode: passed ? 0 : 1,
    timedOut: false,
    tests,
    ...more,
  }
  const failures = failed.map((name) => ({ name, file: 'a.test.ts', line: 1, message: 'red' }))
  const known = { passed: [], skipped: [], failed: failures.map(({ name, file }) => ({ name, file })), ...names }
  return { receipt: { coverage: null, excuse: null, ...receipt } as Receipt, failures, names: known, output: 'text' }
}

const UNREAD = run(['x'], { tests: null })

describe('a red check', () => {
  test.each([
    ['of the work alone', [run(['a']), run(['a'])], [], false, null],
    ['with what failed before', [run(['a'])], [run(['a'])], true, '1 failed before this work, too'],
    [
      'with what failed before and more',
      [run(['a', 'b']), run(['a', 'b'])],
      [run(['a'])],
      false,
      '1 failed before this work, too',
    ],
    ['that passes the second time', [run(['a']), run([])], [], true, 'flaky: a'],
    ['with other failures the second time', [run(['a']), run(['b'])], [], true, 'flaky: a, b'],
    ['with one of two failures again', [run(['a', 'b']), run(['b'])], [], false, 'flaky: a'],
    ['that cannot be read', [UNREAD], [UNREAD], false, null],
    ['that cannot be read the second time', [run(['a']), UNREAD], [], false, null],
    ['that ended otherwise than before', [run(['a'], { exitCode: 2 })], [run(['a'])], false, null],
    ['before which nothing could be read', [run(['a']), run(['a'])], [UNREAD], false, null],
    [
      'before which the same name failed less often',
      [run(['a', 'a']), run(['a', 'a'])],
      [run(['a'])],
      false,
      '1 failed before this work, too',
    ],
    ['that took too long', [run(['a'], { timedOut: true })], [run(['a'])], false, null],
  ])('%s', (_, runs, base, passes, excuse) => {
    const weighed = classifyFailures(CHECK, runs, base)
    expect({ passes: weighed.passes, excuse: weighed.receipts[0]?.excuse }).toEqual({ passes, excuse })
    expect(weighed.findings.length === 0).toBe(passes)
    expect(weighed.receipts.map((receipt) => receipt.passed)).toEqual(runs.map(({ receipt }) => receipt.passed))
  })

  test('reports only failures of the work to the agent', () => {
    const { findings } = classifyFailures(CHECK, [run(['a', 'b', 'c']), run(['a', 'b'])], [run(['a'])])
    expect(findings.map(({ message }) => message)).toEqual([
      '"npm test" ended with exit code 1: 3 passed, 2 failed (vitest); 1 failed before this work, too; flaky: c',
      'b: red',
    ])
    expect(findings[1]).toMatchObject({ file: 'a.test.ts', line: 1 })
  })

  test('with too little coverage is not excused by earlier failures', () => {
    const check = { ...CHECK, coverage: 0.8 }
    expect(classifyFailures(check, [run(['a'], { coverage: 0.5 })], [run(['a'], { coverage: 0.5 })]).passes).toBe(false)
  })

  test.each([
    ['with new failures', run(['a']), [], true],
    ['with old failures only', run(['a']), [run(['a'])], false],
    ['that cannot be read', UNREAD, [], false],
    ['that is green', run([]), [], false],
  ])('runs again %s', (_, first, base, again) => {
    expect(needsSecondRun(CHECK, first, base)).toBe(again)
  })
})

describe('tests are lost', () => {
  const counts = (passed: number, failed: number, skipped: number, framework = 'vitest') => ({
    tests: { framework, passed, failed, skipped, durationMs: null },
  })
  const lost = (head: CheckRun, base: CheckRun, isRed = false) =>
    lostTests(head, base, isRed, [])?.map(({ message }) => message.split('. Restore')[0]) ?? null
  const named = (names: Partial<TestNames>) => {
    const whole = { passed: [], skipped: [], failed: [], ...names }
    return run([], counts(whole.passed.length, whole.failed.length, whole.skipped.length), whole)
  }

  test.each([
    ['by count', run([], counts(2, 0, 0)), run([], counts(3, 0, 0)), ['gone: 2 of 3 are left']],
    ['by name', named({ passed: ['s > a'] }), named({ passed: ['s > a', 's > b'] }), ['gone: 1 of 2 are left (s > b)']],
    ['skipped, by count', run([], counts(2, 0, 1)), run([], counts(3, 0, 0)), ['skipped now: 1 instead of 0']],
    [
      'skipped, by name',
      named({ passed: ['a'], skipped: ['b'] }),
      named({ passed: ['a', 's > b'] }),
      ['skipped now: b'],
    ],
    [
      'for another',
      named({ passed: ['c'] }),
      named({ failed: [{ name: 'b', file: null }] }),
      ['gone: b, which failed before'],
    ],
    ['not: renamed', named({ passed: ['c'] }), named({ passed: ['b'] }), []],
    ['not: a new one is skipped', named({ passed: ['a'], skipped: ['n'] }), named({ passed: ['a'] }), []],
    ['not: more', run([], counts(4, 0, 0)), run([], counts(3, 0, 0)), []],
    ['not: fixed in Go without names', run([], counts(1, 0, 0, 'go')), run(['a', 'b'], counts(0, 2, 0, 'go')), []],
    ['not known on the base', run([], counts(3, 0, 0)), run([], { tests: null }), null],
  ])('%s', (_, head, base, expected) => {
    expect(lost(head, base)).toEqual(expected?.map((text) => `tests of the check tests are ${text}`) ?? null)
  })

  test.each([
    ['none', { tests: null }, 'no tests at all'],
    ['those of another framework', counts(9, 0, 0, 'jest'), '9 of jest instead'],
  ])('when the output shows %s of them', (_, now, after) => {
    const what = `the check tests reported 3 tests of vitest on the base and reports ${after}`
    expect(lost(run([], now), run([], counts(3, 0, 0)))).toEqual([what])
    expect(lost(run([], now), run([], counts(3, 0, 0)), true)).toBeNull()
  })

  test('not when a red check may have prevented them from running', () => {
    expect(lost(run(['a'], counts(0, 1, 0)), run([], counts(3, 0, 0)), true)).toEqual([])
  })
})

test.each([
  [{ exitCode: 127 }, '', 'a command was not found'],
  [{ exitCode: 126 }, '', 'a command is not executable'],
  [{ exitCode: 137 }, '', 'it was killed, perhaps out of memory'],
  [{ exitCode: null, timedOut: false }, '', 'it could not start, or was killed'],
  [{ exitCode: 134 }, '', 'a program crashed'],
  [{ exitCode: 139 }, '', 'a program crashed'],
  [{ exitCode: 143 }, '', 'it was ended by a signal'],
  [{ exitCode: 1, tests: null }, 'write: No space left on device', 'the disk is full'],
  [{ exitCode: 1 }, 'FATAL ERROR: JavaScript heap out of memory', 'memory ran out'],
  [{ exitCode: 1 }, 'Error: listen EADDRINUSE: address already in use :::5432', 'a port is in use'],
  [{ exitCode: 1 }, 'connect ECONNREFUSED 127.0.0.1:5432', 'a service refused the connection'],
  [{ exitCode: 0 }, 'connect ECONNREFUSED 127.0.0.1:5432', null],
  [{ exitCode: null, timedOut: true }, '', null],
  [{ exitCode: 1, tests: null }, 'red', null],
])('%j with output "%s" looks like a fault of the environment', (ended, output, fault) => {
  expect(environmentFault(run(['a'], ended).receipt, output)).toBe(fault)
})
