import { expect, test } from 'vitest'
import { sizeText } from './folder-size.ts'

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_500, '1.5 kB'],
  [2_340_000_000, '2.3 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText({ bytes, isPartial: false })).toBe(text)
  expect(sizeText({ bytes, isPartial: true })).toBe(`more than ${text}`)
})
