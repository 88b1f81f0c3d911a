import { describe, expect, test } from 'vitest'
import {
  end,
  given,
  NOW,
  opened,
  reported,
  roundEnded,
  roundStarted,
  SESSION,
} from '../../../test/given/given-attempt.ts'
import { CALLS_RECORDED_MAX, PROPOSALS_PER_ATTEMPT_MAX } from '../limits/limits.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { TaskId } from '../model/ids.ts'
import type { RecordedCall } from '../model/tool-call.ts'
import { decideAttempt } from './decide.ts'

const proposal = {
  id: 't2' as TaskId,
  title: 'Then that',
  brief: 'Do it.',
  after: [],
  acceptance: [],
  verify: ['rm -rf /'],
}
const review = { issues: [], questions: [], positives: [], decision: null }
const inRound = [...opened(), roundStarted(1)]

describe('a tool call', () => {
  test.each<[RecordedCall, AttemptEvent]>([
    [
      { kind: 'report', claim: { kind: 'done' } },
      { kind: 'work-reported', round: 1, report: { kind: 'claim', claim: { kind: 'done' } } },
    ],
    [{ kind: 'ask', question: 'Which port?' }, { ...blockedBy('Which port?') }],
    [
      { kind: 'review', review },
      { kind: 'work-reported', round: 1, report: { kind: 'review', review } },
    ],
    [
      { kind: 'progress', text: 'half done' },
      { kind: 'progress-reported', round: 1, text: 'half done' },
    ],
    [
      { kind: 'note', digest: 'd1', quality: 'whole' },
      { kind: 'note-left', round: 1, session: SESSION, note: 'd1', quality: 'whole' },
    ],
    [
      { kind: 'propose', proposal },
      { kind: 'task-proposed', round: 1, proposal },
    ],
    [
      { kind: 'learn', knowledge: { text: 'mind the gap', files: [] } },
      { kind: 'knowledge-recorded', round: 1, knowledge: { text: 'mind the gap', files: [] } },
    ],
  ])('%o becomes one fact', (call, fact) => {
    expect(decided(inRound, 1, call)).toEqual([fact])
  })

  test('of an ended round, or another round, is refused', () => {
    const call = { kind: 'report', claim: { kind: 'done' } } as const
    expect(decided([...inRound, roundEnded(1, 'ok')], 1, call)).toBe('this round is over')
    expect(decided([...inRound, roundEnded(1, 'ok'), { ...roundStarted(2) }], 1, call)).toBe('this round is over')
    expect(decided(opened(), 1, call)).toBe('this round is over')
  })

  test('beyond the limit of a round is refused', () => {
    const reports = Array.from({ length: CALLS_RECORDED_MAX }, () => progress(1))
    const call = { kind: 'progress', text: 'again' } as const
    expect(decided([...inRound, ...reports], 1, call)).toMatch(/at most/)
    const next = [...inRound, ...reports, roundEnded(1, 'ok'), roundStarted(2)]
    expect(decided(next, 2, call)).toEqual([{ kind: 'progress-reported', round: 2, text: 'again' }])
  })

  test('beyond the limit of proposals is refused', () => {
    const proposals = Array.from({ length: PROPOSALS_PER_ATTEMPT_MAX }, (): AttemptEvent => {
      return { kind: 'task-proposed', round: 1, proposal }
    })
    expect(decided([...inRound, ...proposals], 1, { kind: 'propose', proposal })).toMatch(/at most/)
  })
})

describe('how a round ends', () => {
  test('the last claim by tool takes precedence over the text', () => {
    const state = given(...inRound, { ...blockedBy('which one?') }, claimed('continue'))
    const [ended] = reported(state, 'round:1', roundReport({ claim: { kind: 'done' } }))
    expect(ended).toMatchObject({ kind: 'round-ended', end: { claim: { kind: 'continue' } } })
  })

  test('without a report the text counts', () => {
    const [ended] = reported(given(...inRound), 'round:1', roundReport({ claim: { kind: 'done' } }))
    expect(ended).toMatchObject({ end: { claim: { kind: 'done' } } })
  })

  test('a report of an earlier round does not count', () => {
    const state = given(...inRound, claimed('continue'), roundEnded(1, 'ok'), roundStarted(2))
    const [ended] = reported(state, 'round:2', roundReport({ claim: { kind: 'done' } }))
    expect(ended).toMatchObject({ end: { claim: { kind: 'done' } } })
  })

  test('a note left by tool is used when a session hands over without a better one', () => {
    const left: AttemptEvent = { kind: 'note-left', round: 1, session: SESSION, note: 'by-tool', quality: 'whole' }
    const noteAfter = (quality: 'whole' | 'partial' | 'none', digest: string | null) => {
      const report = { ...roundReport({}, 'context-exhausted'), note: { digest, quality } }
      return reported(given(...inRound, left), 'round:1', report).find(({ kind }) => kind === 'session-handed-off')
    }
    expect(noteAfter('none', null)).toMatchObject({ note: 'by-tool', quality: 'whole' })
    expect(noteAfter('partial', 'text')).toMatchObject({ note: 'by-tool' })
    expect(noteAfter('whole', 'text')).toMatchObject({ note: 'text' })
  })
})

function decided(events: readonly AttemptEvent[], round: number, call: RecordedCall) {
  const decision = decideAttempt(given(...events), { kind: 'tool-called', round, call }, NOW)
  return decision.kind === 'accepted' ? decision.events : decision.problem.message
}

function blockedBy(reason: string): AttemptEvent {
  return { kind: 'work-reported', round: 1, report: { kind: 'claim', claim: { kind: 'blocked', reason } } }
}

function claimed(kind: 'done' | 'continue'): AttemptEvent {
  return { kind: 'work-reported', round: 1, report: { kind: 'claim', claim: { kind } } }
}

function progress(round: number): AttemptEvent {
  return { kind: 'progress-reported', round, text: 'on it' }
}

function roundReport(more: Parameters<typeof end>[1], kind: Parameters<typeof end>[0] = 'ok') {
  return { kind: 'round-ended', end: end(kind, more), note: null, words: null } as const
}
