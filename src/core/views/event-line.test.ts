import { expect, test } from 'vitest'
import { ATTEMPT_EVENTS, RUN_EVENTS } from '../../../test/given/every-event.ts'
import { jsonEvent } from '../../surfaces/cli/render/render-event.ts'
import { eventSchema } from '../../surfaces/protocol/status.ts'
import { EVENT_KINDS } from '../model/event-kinds.ts'
import type { LedgerId } from '../model/ids.ts'
import { eventLine } from './event-line.ts'
import { LEVELS, levelOf } from './line-parts.ts'

const lineFor = (ledger: string, event: { readonly kind: string }) =>
  eventLine(ledger as LedgerId, event, () => '12:00')
const ALL = [
  ...Object.values(RUN_EVENTS).map((event) => ['run/r1', event] as const),
  ...Object.values(ATTEMPT_EVENTS).map((event) => ['attempt/t1-a1', event] as const),
]

test.each(ALL)('%s %j becomes one line with nothing missing', (ledger, event) => {
  const line = lineFor(ledger, event)
  const { about, text } = line
  expect(LEVELS).toContain(levelOf(line))
  expect(text).toMatch(/^\S.*\S$/)
  expect(text).not.toMatch(/undefined|null|NaN|\[object|\n/)
  expect(about).toBe(ledger === 'run/r1' ? about : 't1-a1')
})

test.each(ALL)('%s %j keeps everything in its JSON form', (ledger, event) => {
  const printed: unknown = JSON.parse(JSON.stringify(jsonEvent({ seq: 1, at: 0, ledger: ledger as LedgerId, event })))
  const { seq, at, attemptSeq, ...rest } = eventSchema.parse(printed)
  expect({ seq, at, ledger: rest.ledger }).toEqual({ seq: 1, at: '1970-01-01T00:00:00.000Z', ledger })
  expect({ ...rest, ...('seq' in event ? { seq: attemptSeq } : {}) }).toEqual({ ledger, ...event })
})

test('every kind can be selected by name', () => {
  expect(new Set(EVENT_KINDS)).toEqual(new Set(ALL.map(([, { kind }]) => kind)))
})

test.each([
  ['run/r1', RUN_EVENTS.landed, 't1: landed as 0123456789; proof: gates: tests; failed, but only a warning: lint'],
  ['run/r1', RUN_EVENTS['attempt-waiting'], 't1-a1: parked until about 12:00: usage limit: 429'],
  ['run/r1', RUN_EVENTS['target-held'], ': target branch not updated: dirty. To update it: git merge'],
  [
    'attempt/t1-a1',
    {
      ...ATTEMPT_EVENTS['round-started'],
      cause: { kind: 'fresh-session', why: 'The session was asked to hand over.' },
    },
    't1-a1: round 2 (implement) started with a fresh session (the session was asked to hand over)',
  ],
  [
    'attempt/t1-a1',
    { ...ATTEMPT_EVENTS['round-started'], phase: 'review', cause: { kind: 'decide' } },
    't1-a1: round 2 (review) started with a request for a verdict',
  ],
  [
    'attempt/t1-a1',
    { kind: 'phase-entered', phase: 'verify', why: 'the review passed: no issues' },
    't1-a1: review passed: no issues; next: verify',
  ],
  [
    'run/r1',
    {
      ...RUN_EVENTS['attempt-waiting'],
      for: { kind: 'person', asks: 'answer', question: 'asks: which colour?', hint: 'Answer.' },
    },
    't1-a1: asks: which colour? Answer.',
  ],
  ['attempt/t1-a1', ATTEMPT_EVENTS['round-ended'], 't1-a1: round 1 ended: ok, agent says blocked: which colour?'],
] as const)('%s %j says who, what and why', (ledger, event, words) => {
  const { about, text } = lineFor(ledger, event)
  expect(`${about}: ${text}`).toBe(words)
})
