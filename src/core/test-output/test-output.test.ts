import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TestOutput } from './test-output.ts'
import type { TestOutputRead } from './test-output-read.ts'

const RECORDINGS = join(import.meta.dirname, '../../../test/recordings')

function recording(name: string): string {
  return readFileSync(join(RECORDINGS, `${name}.txt`), 'utf8')
}

function read(...texts: readonly string[]): TestOutputRead {
  const output = new TestOutput('/words')
  for (const text of texts) output.take(text)
  return output.end()
}

/** A result in a few words: "framework passed/failed/skipped ms coverage", then a line for each failure. */
function summarize(text: string): readonly string[] {
  const { tests, failures, coverage } = read(text)
  const counts = tests === null ? 'nothing' : `${tests.passed}/${tests.failed}/${tests.skipped}`
  const more = tests === null ? '' : ` ${tests.framework} ${tests.durationMs} ms`
  return [
    `${counts}${more}${coverage === null ? '' : ` ${coverage}`}`,
    ...failures.map(({ name, file, line, message }) => `${file}:${line} ${name}: ${message}`),
  ]
}

const NODE_FAILURES = [
  'test/sum.test.mjs:7 adds negative numbers: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 3 !== 5',
  'test/sum.test.mjs:12 throws: TypeError [Error]: words are not numbers',
]
const TAP_FAILURES = [
  'test/sum.test.mjs:7 sum > adds negative numbers: Expected values to be strictly equal: 3 !== 5',
  'test/sum.test.mjs:12 throws: words are not numbers',
]
const VITEST_FAILURES = [
  'src/sum.test.ts:6 sum > adds negative numbers: AssertionError: expected 3 to be 1 // Object.is equality',
  'src/words.test.ts:3 throws: TypeError: words are not numbers',
]
const JEST_FAILURE =
  'src/sum.test.js:5 sum › adds negative numbers: expect(received).toBe(expected) // Object.is equality; Expected: 5; Received: 3'
const PYTEST_FAILURES = [
  "tests/test_words.py:11 test_joins_nothing: AssertionError: assert '' == 'nothing'",
  'tests/test_words.py:35 TestMore::test_raises: ValueError: words are not numbers',
  'tests/test_words.py:26 test_needs_fixture: RuntimeError: no database',
]
const CARGO_FAILURES = [
  'src/lib.rs:23 tests::joins_nothing: assertion `left == right` failed left: "" right: "nothing"',
  'src/lib.rs:33 tests::unwraps: words are not numbers',
]
const GO_FAILURE =
  'example.com/words/words/words_test.go:18 example.com/words/words TestCases/empty: got "", want "nothing"'
const GO_PANIC =
  'panics/p_test.go:7 example.com/words/panics TestPanics: panic: assignment to entry in nil map [recovered]'

const SUMMARIES: Readonly<Record<string, readonly string[]>> = {
  'vitest/failures': [
    '2/3/2 vitest 1110 ms',
    "src/broken.test.ts:2 src/broken.test.ts: Error: Cannot find module './missing.ts' imported from src/broken.test.ts",
    ...VITEST_FAILURES,
  ],
  'vitest/colour': ['2/2/2 vitest 737 ms', ...VITEST_FAILURES],
  'vitest/coverage': ['2/0/0 vitest 492 ms 0.5'],
  'vitest/crash': ['3/1/0 vitest 810 ms', 'src/unhandled.test.ts:2 Unhandled Rejection: Error: nobody waits for me'],
  'jest/failures': [
    '2/2/2 jest 1072 ms',
    JEST_FAILURE,
    "src/broken.test.js:1 Test suite failed to run: Cannot find module './missing.js' from 'src/broken.test.js'",
  ],
  'jest/colour': ['2/1/2 jest 1416 ms', JEST_FAILURE],
  'jest/coverage': ['2/1/2 jest 1055 ms 0.8333', JEST_FAILURE],
  'jest/crash': ['nothing'],
  'node/spec': ['1/2/2 node:test 463 ms', ...NODE_FAILURES],
  'node/spec-colour': ['1/2/2 node:test 773 ms', ...NODE_FAILURES],
  'node/spec-coverage': ['1/2/2 node:test 664 ms 0.9048', ...NODE_FAILURES],
  'node/spec-crash': ['0/1/0 node:test 413 ms', "test/crash.mjs:1 test/crash.mjs: 'test failed'"],
  'node/tap': ['1/2/2 node:test 599 ms', ...TAP_FAILURES],
  'node/tap-coverage': ['1/2/2 node:test 737 ms 0.9048', ...TAP_FAILURES],
  'node/tap-crash': ['0/1/0 node:test 412 ms', 'test/crash.mjs:1 test/crash.mjs: test failed'],
  'tap/vitest': [
    '2/2/2 tap null ms',
    'src/sum.test.ts:6 src/sum.test.ts > sum > adds negative numbers: expected 3 to be 1 // Object.is equality',
    'src/words.test.ts:3 src/words.test.ts > throws: words are not numbers',
  ],
  'pytest/failures': ['1/3/2 pytest 130 ms', ...PYTEST_FAILURES],
  'pytest/colour': ['1/3/2 pytest 180 ms', ...PYTEST_FAILURES],
  'pytest/quiet': ['1/3/2 pytest 100 ms', ...PYTEST_FAILURES],
  'pytest/coverage': ['2/0/0 pytest 100 ms 0.83'],
  'pytest/crash': ['nothing'],
  'pytest/import-error': [
    '0/1/0 pytest 460 ms',
    "tests/test_import.py:1 tests/test_import.py: ModuleNotFoundError: No module named 'missing_module'",
  ],
  'go/failures': ['1/1/0 go 22 ms', GO_FAILURE],
  'go/verbose': ['3/1/1 go 15 ms', GO_FAILURE],
  'go/json': ['3/1/1 go 17 ms', GO_FAILURE],
  'go/json-panic': ['0/1/0 go 6 ms', GO_PANIC],
  'go/panic': ['1/1/0 go 8 ms', GO_PANIC],
  'go/nobuild': ['1/1/0 go null ms', 'nobuild/n_test.go:6 example.com/words/nobuild: undefined: undefinedName'],
  'go/passed': ['1/0/0 go null ms'],
  'go/coverage': ['1/0/0 go 3 ms 0.5'],
  'cargo/failures': ['2/2/1 cargo 670 ms', ...CARGO_FAILURES],
  'cargo/colour': ['1/2/1 cargo 0 ms', ...CARGO_FAILURES],
  'cargo/passed': ['2/0/1 cargo 1370 ms'],
  'cargo/nobuild': [
    '0/1/0 cargo null ms',
    'src/lib.rs:7 build: no method named `joined` found for reference `&[&str]` in the current scope',
  ],
  'cargo/crash': [
    '0/1/0 cargo null ms',
    'null:null the test program: did not end by itself (signal: 6, SIGABRT: process abort signal)',
  ],
  'junit/vitest': [
    '2/2/2 vitest 24 ms',
    'src/sum.test.ts:6 sum > adds negative numbers: expected 3 to be 1 // Object.is equality',
    'src/words.test.ts:3 throws: words are not numbers',
  ],
  'junit/node': [
    '1/2/2 junit 16 ms',
    'test/sum.test.mjs:7 sum > adds negative numbers: Expected values to be strictly equal:3 !== 5',
    'test/sum.test.mjs:12 throws: words are not numbers',
  ],
  'junit/pytest': [
    '1/3/2 pytest 9 ms',
    "tests/test_words.py:11 tests.test_words.test_joins_nothing: AssertionError: assert '' == 'nothing' - nothing",
    'tests/test_words.py:26 tests.test_words.test_needs_fixture: failed on setup with "RuntimeError: no database"',
    'tests/test_words.py:35 tests.test_words.TestMore.test_raises: ValueError: words are not numbers',
  ],
}

describe('real output', () => {
  test('of every recording is expected somewhere here', () => {
    // Recordings beside a framework's own report are compared with it in test/conformance.
    const frameworks = readdirSync(RECORDINGS).filter((name) => name !== 'compared')
    const recorded = frameworks.flatMap((framework) =>
      readdirSync(join(RECORDINGS, framework)).map((file) => `${framework}/${file.replace('.txt', '')}`),
    )
    expect(Object.keys(SUMMARIES).toSorted()).toEqual(recorded.toSorted())
  })

  test.each(Object.entries(SUMMARIES))('%s is understood', (name, expected) => {
    expect(summarize(recording(name))).toEqual(expected)
  })

  test.each(Object.keys(SUMMARIES))('%s says the same in small pieces and with carriage returns', (name) => {
    const text = recording(name)
    const pieces = text.match(/[\s\S]{1,7}/g) ?? []
    expect(read(...pieces)).toEqual(read(text))
    expect(read(text.replaceAll('\n', '\r\n'))).toEqual(read(text))
    expect(read(text.replaceAll(/\n(?=.)/g, '\n  10 %\r  20 %\r'))).toEqual(read(text))
  })

  test.each(Object.keys(SUMMARIES))('%s between other lines says the same', (name) => {
    const noise = '> words@1.0.0 test\n> run-the-tests\n\nadded 12 packages in 3s\n2 tests were not written\n'
    expect(read(noise, recording(name), '\nDone in 3.1s.\n')).toEqual(read(recording(name)))
  })

  test.each(Object.keys(SUMMARIES))('%s that is cut off anywhere is no trouble', (name) => {
    const text = recording(name)
    for (let end = 0; end < text.length; end += Math.ceil(text.length / 40))
      expect(() => read(text.slice(0, end))).not.toThrow()
  })
})

const GO_NAMED = {
  passed: ['good TestTwo', 'words TestJoins', 'words TestCases/one_word'].map((name) => `example.com/words/${name}`),
  skipped: ['example.com/words/words TestLater'],
}

describe('tests are known by name', () => {
  test.each([
    ['node/spec', { passed: ['adds two numbers'], skipped: ['adds later', 'adds fractions'] }],
    ['node/spec-colour', { passed: ['adds two numbers'], skipped: ['adds later', 'adds fractions'] }],
    ['node/tap', { passed: ['sum > adds two numbers'], skipped: ['sum > adds later', 'sum > adds fractions'] }],
    ['junit/vitest', { skipped: ['sum > adds later', 'sum > adds fractions'] }],
    ['junit/pytest', { passed: ['tests.test_words.test_joins'] }],
    ['cargo/failures', { passed: ['tests::joins', 'src/lib.rs - join (line 3)'], skipped: ['tests::later'] }],
    ['go/verbose', GO_NAMED],
    ['go/json', GO_NAMED],
    // These print no names of tests that pass.
    ['go/failures', { passed: [], skipped: [] }],
    ['pytest/failures', { passed: [], skipped: [] }],
  ])('in %s', (name, names) => {
    expect(read(recording(name)).names).toMatchObject(names)
  })

  test('where a framework names them only when asked to', () => {
    const vitest =
      ' ✓ src/a.test.ts > sum > adds 3ms\n ↓ |unit| src/a.test.ts > later\n ✓  unit  src/b.test.ts > joins 0ms\n      Tests  1 passed | 1 skipped (2)\n'
    expect(read(vitest).names).toMatchObject({ passed: ['sum > adds', 'joins'], skipped: ['later'] })
    const jest =
      'PASS ./a.test.js\n  sum\n    ✓ adds (2 ms)\n    ○ skipped later\n\nTest Suites: 1 passed, 1 total\nTests:       1 skipped, 1 passed, 2 total\n'
    expect(read(jest).names).toMatchObject({ passed: ['adds'], skipped: ['later'] })
  })

  test('that failed with their files', () => {
    expect(read(recording('node/spec')).names.failed).toEqual([
      { name: 'adds negative numbers', file: 'test/sum.test.mjs' },
      { name: 'throws', file: 'test/sum.test.mjs' },
    ])
  })
})

describe('output', () => {
  test('that is none of a framework says nothing', () => {
    expect(read('12 failed\nok\nFAIL\nTests were run\n--- x\n{"Action":"nothing"}\n')).toEqual({
      tests: null,
      failures: [],
      names: { passed: [], skipped: [], failed: [] },
      coverage: null,
    })
  })

  test('of two frameworks counts as the one whose summary comes last', () => {
    expect(read(recording('go/failures'), recording('vitest/coverage')).tests).toMatchObject({
      framework: 'vitest',
      passed: 2,
      failed: 0,
    })
  })

  test('of several runs of one framework is added up', () => {
    const twice = read(recording('vitest/failures'), recording('vitest/failures'))
    expect(twice.tests).toMatchObject({ framework: 'vitest', passed: 4, failed: 6, skipped: 4 })
  })

  test('with many failures keeps them all', () => {
    const failures = Array.from({ length: 50 }, (_, at) => `not ok ${at + 1} - test ${at}\n`)
    const { tests, failures: kept } = read('TAP version 13\n', ...failures, '1..50\n')
    expect({ failed: tests?.failed, kept: kept.length, first: kept[0]?.name }).toEqual({
      failed: 50,
      kept: 50,
      first: 'test 0',
    })
  })

  test('with the plan of TAP at its end counts what came before', () => {
    expect(summarize('ok 1 - a\nnot ok 2 - b\nok 3 # skip c\n1..3\n')[0]).toBe('1/1/1 tap null ms')
  })

  test('on one endless line of XML is read to its end', () => {
    const cases = '<testcase classname="a" name="b" time="0.001"></testcase>'.repeat(5000)
    expect(summarize(`<testsuites><testsuite>${cases}</testsuite></testsuites>`)[0]).toBe('5000/0/0 junit 5000 ms')
  })

  test('of several Go packages is covered as its least covered one, unless there is a total', () => {
    const packages = 'ok  \ta\t0.1s\tcoverage: 90.0% of statements\nok  \tb\t0.1s\tcoverage: 40.5% of statements\n'
    expect(read(packages).coverage).toBe(0.405)
    expect(read(packages, 'total:\t\t\t(statements)\t71.2%\n').coverage).toBe(0.712)
  })

  test('of any kind is no trouble', () => {
    const words = [
      'ok 1',
      'not ok 2 - a {',
      '    ',
      '---',
      '<testcase name="',
      '>',
      ' FAIL  a',
      '⎯⎯ Failed Suites 2 ⎯⎯',
      '\r',
    ]
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...words, '\n', '\u001b[31m', 'ℹ tests 3', '= 1 failed in 2s ='),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const { tests, failures } = read(...parts)
        expect(failures.length).toBeLessThanOrEqual(2_000)
        expect(tests === null || tests.passed >= 0).toBe(true)
      }),
    )
  })
})
