import { expect, test } from 'vitest'
import { matchesAny } from './path-globs.ts'

test.each([
  ['test/**', ['test/a.ts', 'test/deep/b.ts'], ['test', 'src/test/a.ts', 'tests/a.ts']],
  ['**/*.test.ts', ['a.test.ts', 'src/deep/a.test.ts'], ['a.test.tsx', 'a_test.ts']],
  ['src/*.ts', ['src/a.ts'], ['src/deep/a.ts', 'src/a.tsx']],
  ['/a?c', ['abc'], ['ac', 'a/c', 'x/abc']],
  ['./a.b', ['a.b'], ['axb']],
  ['**', ['a', 'a/b'], []],
  ['a/**/b', ['a/b', 'a/x/y/b'], ['ab', 'a/xb']],
  ['*.{js,ts}', ['a.js', 'a.ts'], ['a.mjs', 'a.{js,ts}']],
  ['[ab].md', ['a.md', 'b.md'], ['c.md']],
  ['[!ab].md', ['c.md'], ['a.md']],
  ['a,b}', ['a,b}'], ['a']],
  ['a{b', ['ab'], ['a{b']],
  ['(x)+[.md', ['(x)+[.md'], ['x.md']],
])('%s', (glob, matching, others) => {
  for (const path of matching) expect([path, matchesAny(path, [glob])]).toEqual([path, true])
  for (const path of others) expect([path, matchesAny(path, [glob])]).toEqual([path, false])
})

test('a path matches when one of several globs does', () => {
  expect(matchesAny('src/a.ts', ['test/**', 'src/**'])).toBe(true)
  expect(matchesAny('src/a.ts', [])).toBe(false)
})
