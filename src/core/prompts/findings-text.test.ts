import { expect, test } from 'vitest'
import { finding, findingText } from '../model/verdict.ts'
import { findingsKey, findingsText } from './findings-text.ts'

const LEAK = finding('review', 'it leaks', { file: 'a.ts', line: 3, severity: 'high' })

test('findings about a whole check come first with their output, then those of each file by line', () => {
  const red = finding('tests', '"npm test" ended with exit code 1', { excerpt: 'a\nb', outputFile: 'out.txt' })
  const late = finding('tests', 'adds: expected 3 to be 1', { file: 'a.ts', line: 30 })
  const unplaced = finding('qa', 'it is slow', { file: 'b.ts', severity: 'medium', excerpt: 'To see it: run it' })
  const more = finding('tests', 'and 1 more failed')
  expect(findingsText([red, late, more, unplaced, LEAK])).toBe(`- tests: "npm test" ended with exit code 1
  - and 1 more failed

    a
    b

  Full output: out.txt

In a.ts:
- line 3, review, high: it leaks
- line 30, tests: adds: expected 3 to be 1

In b.ts:
- qa, medium: it is slow
    To see it: run it`)
})

test.each([
  ['in another line', { ...LEAK, line: 9 }, true],
  ['in another file', { ...LEAK, file: 'b.ts' }, false],
  ['by another check', { ...LEAK, source: 'qa' }, false],
  ['in other words', { ...LEAK, message: 'it drips' }, false],
])('a finding that comes up again %s', (_, again, isSame) => {
  expect(findingsKey([again]) === findingsKey([LEAK])).toBe(isSame)
})

test.each([
  [LEAK, 'high: a.ts:3 it leaks'],
  [{ ...LEAK, line: null, severity: null }, 'a.ts it leaks'],
  [finding('tests', 'a.ts:3 it leaks', { file: 'a.ts', line: 3 }), 'a.ts:3 it leaks'],
  [finding('checks', 'a.ts was deleted', { file: 'a.ts' }), 'a.ts was deleted'],
  [finding('tests', 'red'), 'red'],
])('a finding on one line names its place once', (finding, text) => {
  expect(findingText(finding)).toBe(text)
})
