import { expect, test } from 'vitest'
import type { CheckRun } from '../core/checks/check-run.ts'
import { weighCheck } from '../core/checks/weigh-check.ts'
import type { Check } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import { PLAIN_RECEIPT, type Receipt } from '../core/model/verdict.ts'
import { knownAtLanding } from './known-at-landing.ts'
import { KnownReceipts } from './known-receipts.ts'

const CHECK: Check = { name: 'tests', run: 'npm test', onFail: 'block', timeoutMs: 1000, coverage: null }
const LANDED = {
  ...receipt(2),
  excuse: '1 failed before this work, too; fails only sometimes: moody',
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

/** What a store has kept: nothing of the line before, and the names of tests by digest. */
function known(...receipts: readonly Receipt[]) {
  const store = { receipts: async () => [], blob: async (digest: string) => JSON.stringify(namesOf(digest.split(' '))) }
  const gate = { environmentDigest: () => 'e' }
  const all = new KnownReceipts({ store, gate, clock: { now: () => 0 } } as never)
  return knownAtLanding(all, { before: 'b' as Tree, receipts })
}

test.each([
  ['what the landing excused', ['old', 'moody'], true],
  ['a part of it', ['moody'], true],
  ['something new beside it', ['old', 'new'], false],
])('a second look at landed work passes with %s: %j', async (_, failing, passes) => {
  const base = await known(LANDED).before(CHECK, [], [])
  const weighed = weighCheck(CHECK, [run(...failing), run(...failing)], base)
  expect(weighed.passes).toBe(passes)
})

test('what was red at landing without an excuse, or in another check, excuses nothing', async () => {
  const others = [
    { ...LANDED, excuse: null },
    { ...LANDED, command: 'npm run lint' },
  ]
  expect(await known(...others).before(CHECK, [], [])).toEqual([])
})

test('nothing is taken for passed without running', async () => {
  const on = { place: 'checkout', setup: [], env: {}, tree: 't' as Tree, commit: 'c' as Commit } as const
  expect(await known(LANDED).passed(CHECK, on)).toBeNull()
})
