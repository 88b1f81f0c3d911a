import { expect, test } from 'vitest'
import { jsonIn } from './text.ts'

test.each([
  ['{"a": 1}', { a: 1 }],
  ['```json\n{"a": {"b": [1]}}\n```', { a: { b: [1] } }],
  ['I think {so}: {"a": 1}. Yes.', { a: 1 }],
])('%j has an object', (text, value) => {
  expect(jsonIn(text)).toEqual(value)
})

test.each(['', 'no', '}{', '[1, 2]', '{"a": 1', '{'.repeat(1_000_000)])('%.20j has none', (text) => {
  expect(jsonIn(text)).toBeNull()
})
