import { expect, test } from 'vitest'
import { durationText } from './duration-text.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

test.each([
  [0, '0s'],
  [-SECOND_MS, '0s'],
  [400, '0s'],
  [12_345, '12s'],
  [59_499, '59s'],
  [59_500, '1m00s'],
  [4 * MINUTE_MS + 7 * SECOND_MS, '4m07s'],
  [59 * MINUTE_MS + 59 * SECOND_MS, '59m59s'],
  [HOUR_MS, '1h00m'],
  [HOUR_MS + 5 * MINUTE_MS + 59 * SECOND_MS, '1h05m'],
  [23 * HOUR_MS + 59 * MINUTE_MS, '23h59m'],
  [DAY_MS, '1d00h'],
  [2 * DAY_MS + 3 * HOUR_MS + 59 * MINUTE_MS, '2d03h'],
  [100 * DAY_MS, '100d00h'],
])('%i ms reads as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})
