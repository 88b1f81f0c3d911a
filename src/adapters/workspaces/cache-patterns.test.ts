import { expect, test } from 'vitest'
import { cachePatterns, pathPattern, withoutNested } from './cache-patterns.ts'

test.each([
  { tracked: [], kept: ['node_modules/', '*.pyc', '*.egg-info/'], dropped: [] },
  { tracked: ['web/node_modules/a.js'], kept: ['*.pyc'], dropped: ['node_modules/'] },
  { tracked: ['a/b.pyc', 'x.egg-info/PKG'], kept: ['node_modules/'], dropped: ['*.pyc', '*.egg-info/'] },
  { tracked: ['my_node_modules/a', 'node_modules', 'a.pyc.txt'], kept: ['node_modules/', '*.pyc'], dropped: [] },
])('caches are excluded unless a file of theirs is tracked: $tracked', ({ tracked, kept, dropped }) => {
  const patterns = cachePatterns(tracked)
  expect(kept.filter((pattern) => !patterns.includes(pattern))).toEqual([])
  expect(dropped.filter((pattern) => patterns.includes(pattern))).toEqual([])
})

test.each([
  ['deps/', ['/deps/']],
  ['a*b?[c]', ['/a\\*b\\?\\[c]']],
  ['#x ', ['/#x\\ ']],
  ['two\nlines', []],
])('the pattern of %j', (path, expected) => expect(pathPattern(path)).toEqual(expected))

test('a folder with a nested repository is not hidden as a whole', () => {
  const files = ['deps/a.txt', 'deps/inner/', 'other/b.txt', 'c.txt']
  expect(withoutNested(files, ['deps/', 'other/', 'c.txt'])).toEqual(['deps/a.txt', 'other/', 'c.txt'])
})
