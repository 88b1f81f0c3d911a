import { describe, expect, test } from 'vitest'
import type { ContextSettings } from '../model/settings.ts'
import { occupancy, pressureOf, tokensHeld } from './occupancy.ts'

const SETTINGS: ContextSettings = { warn: 0.7, handOff: 0.8, critical: 0.95, cap: 250_000, policy: 'hand-off' }

describe('occupancy', () => {
  test('is all input of the last main-loop call, cached or not, without earlier calls', () => {
    expect(tokensHeld({ input: 50, cacheWrite: 2000, cacheRead: 50_000, output: 120 })).toBe(52_050)
  })

  test.each([
    ['the cap of a large window', 100_000, 1_000_000, { used: 100_000, size: 250_000, share: 0.4 }],
    ['the window that is smaller than the cap', 100_000, 200_000, { used: 100_000, size: 200_000, share: 0.5 }],
    ['the cap where the window is not known', 100_000, null, { used: 100_000, size: 250_000, share: 0.4 }],
    ['nothing without a usage report', null, 200_000, null],
  ])('is relative to %s', (_what, used, window, held) => {
    expect(occupancy(used, window, SETTINGS)).toEqual(held)
  })
})

test.each([
  [0.69, {}, { kind: 'none' }],
  [0.7, {}, { kind: 'warn' }],
  [0.8, {}, { kind: 'hand-over', when: 'boundary' }],
  [0.95, {}, { kind: 'hand-over', when: 'now' }],
  [0.99, { handOff: 1.5 }, { kind: 'warn' }],
  [0.99, { policy: 'compact' as const }, { kind: 'warn' }],
])('a session that is %d full, with %j: %j', (share, changes, pressure) => {
  expect(pressureOf(share, { ...SETTINGS, ...changes })).toEqual(pressure)
})
