import { describe, expect, test } from 'vitest'
import type { ComparedDefinition } from '../definitions/compare-definitions.ts'
import type { Commit } from '../model/ids.ts'
import type { BaseRun } from './check-run.ts'
import { filesToRead, filesToRestore, hadPasses } from './old-tests.ts'
import type { FileDifference } from './weakened.ts'

const BASE = 'b' as Commit
const NO_TEXTS = { before: new Map(), after: new Map() }

function difference(path: string, kind: FileDifference['kind'], to: string | null = null): FileDifference {
  return { path, kind, to, losesLines: false, linksTo: null }
}

describe('of the files that the work changed, the base lends', () => {
  test.each([
    ['a changed test', difference('a.test.ts', 'changed')],
    ['a deleted test', difference('test/a.py', 'deleted')],
    ['the absence of a new test', difference('test_a.py', 'added')],
    ['the absence of a new test with a dash', difference('lib/sum-test.mjs', 'added')],
    ['the absence of a new test with a prefix', difference('test-sum.js', 'added')],
    ['a changed test of PHP', difference('SumTest.php', 'changed')],
    ['a changed test of C++', difference('sum_test.cc', 'changed')],
    ['a changed fixture', difference('src/fixtures/sums.json', 'changed')],
    ['a changed snapshot', difference('src/__snapshots__/a.test.ts.snap', 'changed')],
    ['a changed helper of tests', difference('src/test-utils.ts', 'changed')],
    ['changed data of Go tests', difference('pkg/testdata/a.txt', 'changed')],
    ['changed expectations', difference('sums/expected.json', 'changed')],
    ['changed cases', difference('data/sum-cases.csv', 'changed')],
    ['the absence of a new mock', difference('__mocks__/slash.js', 'added')],
  ])('%s', (_, file) => {
    expect(filesToRestore([file], [], BASE, NO_TEXTS)).toEqual([{ path: file.path, from: BASE }])
  })

  test.each([
    ['a changed test', difference('checks/sum.js', 'changed')],
    ['the absence of a new test', difference('checks/sum.js', 'added')],
  ])('%s that only its text shows', (_, file) => {
    const texts = new Map([[file.path, "const assert = require('assert')\nit('adds', () => assert.ok(1))\n"]])
    const shown = { before: file.kind === 'added' ? new Map() : texts, after: texts }
    expect(filesToRead([file])).toEqual([file.path])
    expect(filesToRestore([file], [], BASE, shown)).toEqual([{ path: file.path, from: BASE }])
  })

  test('tests inside of a product file', () => {
    const tests = (body: string) => `#[cfg(test)]\nmod tests {\n    ${body}\n}\n`
    const texts = {
      before: new Map([['src/lib.rs', `fn a() {}\n\n${tests('old();')}`]]),
      after: new Map([['src/lib.rs', `fn b() {}\n\n${tests('new();')}`]]),
    }
    expect(filesToRestore([difference('src/lib.rs', 'changed')], [], BASE, texts)).toEqual([
      { path: 'src/lib.rs', text: `fn b() {}\n\n${tests('old();')}` },
    ])
  })

  test('both paths of a moved test', () => {
    const restored = filesToRestore([difference('a.test.ts', 'renamed', 'b.test.ts')], [], BASE, NO_TEXTS)
    expect(restored.map(({ path }) => path)).toEqual(['a.test.ts', 'b.test.ts'])
  })

  test('what a check is made of, but no manifest', () => {
    const change = (file: string) => ({ file, what: '' })
    const definition = {
      changes: [change('vitest.config.ts'), change('package.json')],
    } as unknown as ComparedDefinition
    const files = [difference('vitest.config.ts', 'added'), difference('package.json', 'changed')]
    expect(filesToRestore(files, [definition], BASE, NO_TEXTS)).toEqual([{ path: 'vitest.config.ts', from: BASE }])
  })

  test.each([
    difference('src/sum.ts', 'changed'),
    difference('src/latest.ts', 'changed'),
    difference('src/fastest.js', 'changed'),
    difference('src/test-output.md', 'changed'),
    difference('src/fixtures/new.json', 'added'),
    difference('src/snapshot-store.ts', 'changed'),
    difference('src/use-cases/add.ts', 'changed'),
    difference('src/unexpected.json', 'changed'),
  ])('not $path ($kind)', (file) => {
    expect(filesToRestore([file], [], BASE, NO_TEXTS)).toEqual([])
  })
})

test.each([
  ['a passed check', [{ passed: true, tests: null }], true],
  ['a red check with passed tests', [{ passed: false, tests: { passed: 1 } }], true],
  ['a check that never ran', [], true],
  ['a red check that shows no tests', [{ passed: false, tests: null }], false],
  ['a red check without passed tests', [{ passed: false, tests: { passed: 0 } }], false],
])('%s on the base can be compared with: %#', (_, receipts, expected) => {
  expect(hadPasses(receipts.map((receipt) => ({ receipt }) as unknown as BaseRun))).toBe(expected)
})
