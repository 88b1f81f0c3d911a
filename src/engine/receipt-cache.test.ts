import { expect, test } from 'vitest'
import type { CheckRun } from '../core/checks/check-run.ts'
import { classifyFailures } from '../core/checks/classify-failures.ts'
import type { Check } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import { PLAIN_RECEIPT, type Receipt } from '../core/model/verdict.ts'
import { ReceiptCache, receiptsAtLanding } from './receipt-cache.ts'

const CHECK: Check = { name: 'tests', run: 'npm test', onFail: 'block', timeoutMs: 1000, coverage: null, canary: null }
const LANDED = {
  ...receipt(2),
  excuse: '1 failed before this work, too; flaky: moody',
  testNames: 'old moody',
}

function receipt(failed: number): Receipt {
  return {
    ...PLAIN_RECEIPT,
    gate: 'tests',
    command: 'npm test',
    exitCode: 1,
    timedOut: false,
    durationMs: 1,
    passed: false,
    blocking: true,
    commit: 'c' as Commit,
    tree: 't' as Tree,
    outputDigest: '',
    environmentDigest: '',
    tests: { framework: 'vitest', passed: 3, failed, skipped: 0, durationMs: 1 },
  }
}

function run(...names: readonly string[]): CheckRun {
  const failures = names.map((name) => ({ name, file: null, line: null, message: 'red' }))
  return { receipt: receipt(names.length), failures, names: namesOf(names), output: '' }
}

function namesOf(failed: readonly string[]) {
  return { passed: [], skipped: [], failed: failed.map((name) => ({ name, file: null })) }
}

/** Cache over a store that has no base receipts, and test names by digest. */
function earlier(...receipts: readonly Receipt[]) {
  const store = { receipts: async () => [], blob: async (digest: string) => JSON.stringify(namesOf(digest.split(' '))) }
  const gate = { environmentDigest: () => 'e' }
  const cache = new ReceiptCache({ store, gate, clock: { now: () => 0 } } as never)
  return receiptsAtLanding(cache, { before: 'b' as Tree, receipts })
}

test.each([
  ['the failures that the landing excused', ['old', 'moody'], true],
  ['some of them', ['moody'], true],
  ['a new failure beside them', ['old', 'new'], false],
])('verifying landed work with %s: %j', async (_, failing, passes) => {
  const base = await earlier(LANDED).baseRuns(CHECK, [], [])
  const weighed = classifyFailures(CHECK, [run(...failing), run(...failing)], base)
  expect(weighed.passes).toBe(passes)
})

test('failures without an excuse, or of another check, excuse nothing', async () => {
  const others = [
    { ...LANDED, excuse: null },
    { ...LANDED, command: 'npm run lint' },
  ]
  expect(await earlier(...others).baseRuns(CHECK, [], [])).toEqual([])
})

test('every check runs again', async () => {
  const on = { place: 'checkout', setup: [], env: {}, tree: 't' as Tree, commit: 'c' as Commit } as const
  expect(await earlier(LANDED).passed(CHECK, on)).toBeNull()
})
