import { expect, test } from 'vitest'
import { maskFor } from './mask.ts'

const mask = maskFor(
  { ANTHROPIC_API_KEY: 'sk-written-out', DB: '$DB_URL', FLAG: '$FLAG', PLAIN: 'a plain value' },
  { ANTHROPIC_API_KEY: 'sk-written-out', DB: 'db://"u":p@host', FLAG: 'true', PLAIN: 'a plain value' },
)

test.each([
  ['the key sk-written-out is out', 'the key [masked] is out'],
  ['db://"u":p@host', '[masked]'],
  [JSON.stringify({ said: 'db://"u":p@host' }), '{"said":"[masked]"}'],
  ['true, a plain value', 'true, a plain value'],
])('%j becomes %j', (text, masked) => {
  expect(mask(text)).toBe(masked)
})
