import { expect, test } from 'vitest'
import { resetInText } from './reset-time.ts'

const NOW = Date.parse('2026-11-15T18:30:00Z')

test.each([
  ["You've hit your session limit · resets 3pm (America/New_York)", '2026-11-15T20:00:00Z'],
  ['resets 1pm (America/New_York)', '2026-11-16T18:00:00Z'],
  ['resets 1:45pm (America/New_York)', '2026-11-15T18:45:00Z'],
  ['resets at 12am (America/New_York)', '2026-11-16T05:00:00Z'],
  ['resets 12pm (Asia/Tokyo)', '2026-11-16T03:00:00Z'],
  ['resets 3:00 (Asia/Tokyo)', '2026-11-16T18:00:00Z'],
  ['resets 5am (Asia/Tokyo)', '2026-11-15T20:00:00Z'],
  ['Your limit resets 19:05 (UTC).', '2026-11-15T19:05:00Z'],
  ['weekly limit · resets Nov 20, 9am (Europe/Berlin)', '2026-11-20T08:00:00Z'],
  ['weekly limit · resets Jan 2 at 9:30am (Europe/Berlin)', '2027-01-02T08:30:00Z'],
  ['resets 3pm', '2026-11-16T14:00:00Z'],
  ['Claude AI usage limit reached|1794772800', '2026-11-15T20:00:00Z'],
  ['Limit hit; resets at 2026-11-15T20:00:00Z', '2026-11-15T20:00:00Z'],
  ['Rate limited. Retry-After: 90', '2026-11-15T18:31:30Z'],
  ['Please retry after 2 minutes.', '2026-11-15T18:32:00Z'],
  ['try again in 1h 5m', '2026-11-15T19:35:00Z'],
  ['resets in 40 minutes', '2026-11-15T19:10:00Z'],
])('%j is over at %s', (text, at) => {
  expect(new Date(resetInText(text, NOW, 'Europe/Berlin') ?? 0).toISOString()).toBe(at.replace('Z', '.000Z'))
})

test.each([
  ['2026-03-08T06:30:00Z', 'resets 3:30am (America/New_York)', '2026-03-08T07:30:00Z'],
  ['2026-10-31T22:00:00Z', 'resets 9am (America/New_York)', '2026-11-01T14:00:00Z'],
  ['2026-12-31T23:30:00Z', 'resets 1am (UTC)', '2027-01-01T01:00:00Z'],
])('at %s, across a change of clock or year, %j is over at %s', (now, text, at) => {
  expect(new Date(resetInText(text, Date.parse(now), 'UTC') ?? 0).toISOString()).toBe(at.replace('Z', '.000Z'))
})

test.each([
  'API Error: Request rejected (429) · limited',
  'resets soon',
  'resets 3 times',
  'resets 3pm (Mars/Olympus)',
  'resets 13pm (UTC)',
  'resets Foo 3, 9am (UTC)',
  '',
])('%j names no time', (text) => {
  expect(resetInText(text, NOW, 'UTC')).toBeNull()
})
