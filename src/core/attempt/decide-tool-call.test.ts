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
const going = [...opened(), roundStarted(1)]

describe('what an agent says through a tool', () => {
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
    expect(said(going, 1, call)).toEqual([fact])
  })

  test('nothing of a round that is over, or of another one', () => {
    const call = { kind: 'report', claim: { kind: 'done' } } as const
    expect(said([...going, roundEnded(1, 'ok')], 1, call)).toBe('this round is over')
    expect(said([...going, roundEnded(1, 'ok'), { ...roundStarted(2) }], 1, call)).toBe('this round is over')
    expect(said(opened(), 1, call)).toBe('this round is over')
  })

  test('no more than a round may say', () => {
    const reports = Array.from({ length: CALLS_RECORDED_MAX }, () => progress(1))
    const call = { kind: 'progress', text: 'again' } as const
    expect(said([...going, ...reports], 1, call)).toMatch(/at most/)
    const next = [...going, ...reports, roundEnded(1, 'ok'), roundStarted(2)]
    expect(said(next, 2, call)).toEqual([{ kind: 'progress-reported', round: 2, text: 'again' }])
  })

  test('no more proposals than an attempt may make', () => {
    const proposals = Array.from({ length: PROPOSALS_PER_ATTEMPT_MAX }, (): AttemptEvent => {
      return { kind: 'task-proposed', round: 1, proposal }
    })
    expect(said([...going, ...proposals], 1, { kind: 'propose', proposal })).toMatch(/at most/)
  })
})

describe('how a round ends', () => {
  test('what was said last by a tool counts over the text', () => {
    const state = given(...going, { ...blockedBy('which one?') }, claimed('continue'))
    const [ended] = reported(state, 'round:1', roundReport({ claim: { kind: 'done' } }))
    expect(ended).toMatchObject({ kind: 'round-ended', end: { claim: { kind: 'continue' } } })
  })

  test('without a report the text counts', () => {
    const [ended] = reported(given(...going), 'round:1', roundReport({ claim: { kind: 'done' } }))
    expect(ended).toMatchObject({ end: { claim: { kind: 'done' } } })
  })

  test('a report of an earlier round counts no more', () => {
    const state = given(...going, claimed('continue'), roundEnded(1, 'ok'), roundStarted(2))
    const [ended] = reported(state, 'round:2', roundReport({ claim: { kind: 'done' } }))
    expect(ended).toMatchObject({ end: { claim: { kind: 'done' } } })
  })

  test('a note that was left by a tool is used by a session that hands over without a better one', () => {
    const left: AttemptEvent = { kind: 'note-left', round: 1, session: SESSION, note: 'by-tool', quality: 'whole' }
    const noteAfter = (quality: 'whole' | 'partial' | 'none', digest: string | null) => {
      const report = { ...roundReport({}, 'context-exhausted'), note: { digest, quality } }
      return reported(given(...going, left), 'round:1', report).find(({ kind }) => kind === 'session-handed-off')
    }
    expect(noteAfter('none', null)).toMatchObject({ note: 'by-tool', quality: 'whole' })
    expect(noteAfter('partial', 'text')).toMatchObject({ note: 'by-tool' })
    expect(noteAfter('whole', 'text')).toMatchObject({ note: 'text' })
  })
})

function said(events: readonly AttemptEvent[], round: number, call: RecordedCall) {
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
