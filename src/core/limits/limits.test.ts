import { expect, test } from 'vitest'
import { errorDelayMs, limitEndsAt } from './delays.ts'
import { costUsd } from './prices.ts'
import { isExpired, workspacesToDiscard } from './retention.ts'

const DELAYS = { errorDelayMs: 30_000, errorDelayMsMax: 300_000, limitDelayMs: 15_000, limitDelayMsMax: 3_600_000 }
const NEVER = '00000000-0000-4000-8000-000000000000'
const ALWAYS = 'ffffffff-0000-4000-8000-000000000000'

test('consecutive errors wait longer, up to five minutes', () => {
  expect([1, 2, 10, 50].map((errors) => errorDelayMs(errors, DELAYS))).toEqual([30_000, 60_000, 300_000, 300_000])
})

test('a limit ends at its reset time and a little later', () => {
  expect(limitEndsAt(0, 60_000, 1, NEVER, DELAYS)).toEqual({ until: 60_000, estimated: false })
  expect(limitEndsAt(0, 60_000, 1, ALWAYS, DELAYS)).toEqual({ until: 75_000, estimated: false })
})

test('a limit without a reset time doubles its delay up to an hour, varied by less than a third', () => {
  expect([1, 2, 3, 20].map((hits) => limitEndsAt(0, null, hits, NEVER, DELAYS).until)).toEqual([
    15_000, 30_000, 60_000, 3_600_000,
  ])
  expect(limitEndsAt(0, null, 1, ALWAYS, DELAYS)).toEqual({ until: 19_500, estimated: true })
})

test('a reset time in the past is ignored', () => {
  expect(limitEndsAt(1000, 500, 1, NEVER, DELAYS)).toEqual({ until: 16_000, estimated: true })
})

test('tokens are priced by the longest matching name, settings first', () => {
  const tokens = { input: 1_000_000, cacheRead: 1_000_000, cacheWrite: 0, output: 0 }
  expect(costUsd(tokens, 'claude-opus-4-5', {})).toBe(5.5)
  expect(costUsd(tokens, 'claude-opus-4-5', { claude: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } })).toBe(1)
  expect(costUsd(tokens, 'another-model', {})).toBeNull()
})

test('leftovers are removed immediately, failed workspaces after the last five or a week', () => {
  const day = 24 * 3_600_000
  const workspace = (name: string, days: number) => ({
    name,
    kind: 'workspace' as const,
    attempt: name,
    changedAt: -days * day,
  })
  const onDisk = [
    { name: 'half', kind: 'partial' as const, attempt: 'half', changedAt: 0 },
    { name: 'check', kind: 'checkout' as const, attempt: null, changedAt: 0 },
    ...[1, 2, 3, 4, 5, 6].map((n) => workspace(`w${n}`, n)),
    workspace('live', 30),
  ]
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)
  const fateOf = (attempt: string) => (attempt === 'live' ? 'live' : 'over')
  expect(names(workspacesToDiscard(onDisk, fateOf, 0))).toEqual(['half', 'check', 'w6'])
  expect(names(workspacesToDiscard([workspace('old', 8), workspace('new', 1)], () => 'over', 0))).toEqual(['old'])
  expect(workspacesToDiscard([workspace('new', 0)], () => 'landed', 0)).toEqual([
    { name: 'new', why: 'its work has landed' },
  ])
})

test.each([
  ['salvage', 30],
  ['transcript', 30],
  ['checkout', 1],
  ['temporary', 1],
] as const)('%s is kept for %d days', (what, days) => {
  const keptMs = days * 24 * 3_600_000
  expect([isExpired(what, 0, keptMs), isExpired(what, 0, keptMs + 1)]).toEqual([false, true])
})
