import picocolors from 'picocolors'
import { expect, test } from 'vitest'
import type { LedgerId } from '../../../core/model/ids.ts'
import { taskFilter } from '../repository/task-filter.ts'
import { jsonEvent, liveLine, logLines } from './render-event.ts'

const plain = picocolors.createColors(false)
const at = Date.UTC(2026, 10, 15, 12, 0, 5)
const announced = (ledger: string, event: { readonly kind: string }) => ({
  seq: 3,
  at,
  ledger: ledger as LedgerId,
  event,
})

test('the number in the attempt does not hide the number in the ledger', () => {
  const event = { kind: 'attempt-notified', attempt: 't1-a1', seq: 12, id: 'stop' }
  expect(jsonEvent(announced('run/r1', event))).toEqual({
    seq: 3,
    at: '2026-11-15T12:00:05.000Z',
    ledger: 'run/r1',
    kind: 'attempt-notified',
    attemptSeq: 12,
    attempt: 't1-a1',
    id: 'stop',
  })
})

test('details are in the log, but not in the live lines', () => {
  const detail = announced('attempt/t1-a1', {
    kind: 'message-received',
    id: 'x',
    message: { kind: 'stop', reason: 'enough' },
  } as never)
  expect(liveLine(detail, plain)).toBe(null)
  const [line, ...more] = logLines(detail, { colors: plain, width: null })
  expect(line).toMatch(/^2026-11-1\d \d\d:\d\d:05 {2}t1-a1 {13}received: stop \(enough\)$/)
  expect(more).toEqual([])
})

test('bookkeeping is in the log only when its kind is asked for', () => {
  const landed = announced('run/r1', {
    kind: 'attempt-notified',
    attempt: 't1-a1',
    seq: 12,
    id: 't1-a1:landed',
  } as never)
  const look = { colors: plain, width: null }
  expect(logLines(landed, look)).toEqual([])
  expect(logLines(landed, look, 'all')).toEqual([expect.stringContaining('received message t1-a1:landed')])
})

test('a long line of the log is wrapped below its text', () => {
  const event = { kind: 'task-failed', task: 't1', reason: 'one two three four five six seven eight' }
  const [first, ...more] = logLines(announced('run/r1', event), { colors: plain, width: 70 })
  expect(first).toMatch(/ {2}t1 {16}failed: one two three four five$/)
  expect(more).toEqual([`${' '.repeat(39)}six seven eight`])
})

test.each([
  ['attempt/t1-a2', { kind: 'message-received' }, true],
  ['attempt/t1-a2-a1', { kind: 'message-received' }, false],
  ['attempt/t10-a1', { kind: 'message-received' }, false],
  ['run/r1', { kind: 'task-added', task: { id: 't1' } }, true],
  ['run/r1', { kind: 'task-failed', task: 't10' }, false],
  ['run/r1', { kind: 'landed', tasks: ['t0', 't1'] }, true],
  ['run/r1', { kind: 'attempt-ended', attempt: 't1-a1' }, true],
  ['run/r1', { kind: 'candidate-refused', landing: 'revert:t1' }, true],
  ['run/r1', { kind: 'run-ended' }, false],
])('%s %j concerns t1: %s', (ledger, event, isWanted) => {
  expect(taskFilter('t1')(announced(ledger, event))).toBe(isWanted)
})
