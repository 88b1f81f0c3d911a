import { expect, test } from 'vitest'
import { cacheFor } from './package-cache.ts'

test.each([
  ['setup', 'setup'],
  ['agent', 'work'],
  ['hook', 'work'],
  ['check', null],
  ['git', null],
] as const)('a program for %s shares the cache %s', (purpose, cache) => {
  expect(cacheFor(purpose)).toBe(cache)
})
