import { describe, expect, test } from 'vitest'
import {
  checkpointed,
  given,
  JUDGE,
  NOW,
  opened,
  reported,
  roundEnded,
  roundStarted,
  when,
} from '../../../test/given/given-attempt.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { Tree } from '../model/ids.ts'
import type { Opinion } from '../model/opinion.ts'
import { problem } from '../model/problem.ts'
import type { UsageReport } from '../model/round.ts'
import { finding } from '../model/verdict.ts'
import { findingsKey } from '../prompts/findings-text.ts'
import { attemptEffectsDue } from './effects-due.ts'
import { evolveAttempt } from './evolve.ts'
import type { AttemptState } from './state.ts'

const ASKED = { judge: { ...JUDGE, opinions: true } }
const JUDGE_CALL: UsageReport = {
  session: 'judge',
  message: '1',
  model: 'haiku',
  scope: 'subagent',
  window: null,
  tokens: { input: 1_000_000, cacheRead: 0, cacheWrite: 0, output: 0 },
  hourCacheWrite: 0,
}
const GREEN = { kind: 'checked', verdict: { passed: true, receipts: [], findings: [] } } as const
const QUALITY = { syntax: 1, requirements: 0.9, quality: 0.8, testing: 0.7 }

/** Returns work whose checks are about to run. */
function atChecks(changes: Parameters<typeof opened>[0]): AttemptState {
  return given(
    ...opened(changes),
    roundStarted(1),
    roundEnded(1, 'ok'),
    { kind: 'checkpoint-made', ...checkpointed(1) },
    { kind: 'phase-entered', phase: 'verify', why: 'the agent says it is done' },
  )
}

function take(state: AttemptState, events: readonly AttemptEvent[]): AttemptState {
  for (const event of events) evolveAttempt(state, event, NOW.at)
  return state
}

/** Returns work that the judge looks at. */
function atJudge(changes: Parameters<typeof opened>[0] = ASKED): AttemptState {
  const state = atChecks(changes)
  return take(state, reported(state, 'checks:1', GREEN))
}

function judged(state: AttemptState, opinion: Partial<Opinion>): readonly AttemptEvent[] {
  const whole = { quality: QUALITY, confidence: 0.9, findings: [], why: 'as it is', ...opinion }
  return reported(state, 'opinion:1', { kind: 'opinion', opinion: whole, why: whole.why })
}

describe('the judge is asked', () => {
  test('when the checks have passed and opinions are switched on', () => {
    const state = atJudge()
    expect(state.doing).toEqual({ kind: 'asking-judge', commit: 'c1', tree: 'tree1' })
    expect(attemptEffectsDue(state)).toMatchObject([
      { kind: 'ask-judge', id: 'opinion:1', class: 'repeatable', commit: 'c1', judge: ASKED.judge },
    ])
  })

  test.each([{ judge: null }, { judge: JUDGE }])('not with %o', (changes) => {
    const state = atChecks(changes)
    expect(reported(state, 'checks:1', GREEN)).toMatchObject([{ kind: 'verdict-given' }, { kind: 'ready-to-land' }])
  })

  test('not when the budget is used up: the checks alone decide', () => {
    const state = atChecks({ ...ASKED, allowance: { usd: 1, budget: 'run' } })
    take(state, when(state, { kind: 'usage', usage: JUDGE_CALL }))
    expect(state.totals).toMatchObject({ usd: 1, turns: 0 })
    expect(reported(state, 'checks:1', GREEN)).toMatchObject([
      { kind: 'verdict-given' },
      { kind: 'opinion-given', quality: null, why: "the run's budget is used up, so the judge is not asked" },
      { kind: 'ready-to-land' },
    ])
  })

  test('never about work whose checks are red', () => {
    const red = { passed: false, receipts: [], findings: [finding('tests', 'red')] }
    const events = reported(atChecks(ASKED), 'checks:1', { kind: 'checked', verdict: red })
    expect(events).toMatchObject([{ kind: 'verdict-given', passed: false }, { kind: 'work-returned' }])
  })
})

describe('its opinion', () => {
  test('proceed: the work continues', () => {
    expect(judged(atJudge(), {})).toEqual([
      {
        kind: 'opinion-given',
        phase: 'verify',
        commit: 'c1',
        quality: QUALITY,
        confidence: 0.9,
        decision: 'proceed',
        why: 'the judge finds it good: as it is',
      },
      { kind: 'ready-to-land', commit: 'c1', tree: 'tree1' },
    ])
  })

  test('retry: the work goes back with the findings of the judge', () => {
    const quality = { ...QUALITY, requirements: 0.4 }
    expect(judged(atJudge(), { quality, findings: ['greet.js: no name'] })).toMatchObject([
      { kind: 'opinion-given', decision: 'retry', why: 'requirements 0.40 of 0.70: as it is' },
      { kind: 'work-returned', from: 'verify', to: 'implement', findings: [finding('judge', 'greet.js: no name')] },
    ])
    expect(judged(atJudge(), { quality })).toMatchObject([
      {},
      { findings: [finding('judge', 'requirements 0.40 of 0.70: as it is')] },
    ])
  })

  test('retry, at the limit of returns: a person', () => {
    const state = atJudge()
    state.returns = 3
    expect(judged(state, { quality: { ...QUALITY, syntax: 0 } })).toMatchObject([
      { kind: 'opinion-given', decision: 'escalate' },
      { kind: 'attempt-waiting', for: { kind: 'person', asks: 'act' } },
    ])
  })

  test('retry, without a change since the same finding: a person, not a failure', () => {
    const state = atJudge()
    state.lastReturn = { tree: 'tree1' as Tree, key: findingsKey([finding('judge', 'no name')]) }
    expect(judged(state, { quality: { ...QUALITY, syntax: 0 }, findings: ['no name'] })).toMatchObject([
      { kind: 'opinion-given', decision: 'clarify', why: expect.stringContaining('nothing changed') },
      { kind: 'attempt-waiting', for: { kind: 'person', asks: 'approval', approvalPoint: 'verify' } },
    ])
  })

  test('clarify: a person is asked, and a yes lets the work continue', () => {
    const state = atJudge()
    const events = judged(state, { confidence: 0.6, quality: { ...QUALITY, syntax: 0 } })
    expect(events).toMatchObject([
      { kind: 'opinion-given', decision: 'clarify', confidence: 0.6 },
      {
        kind: 'attempt-waiting',
        for: {
          asks: 'approval',
          approvalPoint: 'verify',
          question: 'the judge is not confident (confidence 0.60): as it is',
        },
      },
    ])
    take(state, events)
    const answer = { kind: 'answer', answer: { kind: 'approved', text: '' } } as const
    take(state, [{ kind: 'message-received', id: 'a', message: answer }])
    expect(attemptEffectsDue(state)).toEqual([])
  })

  test('escalate: a person has to act', () => {
    expect(judged(atJudge(), { confidence: 0.2 })).toMatchObject([
      { kind: 'opinion-given', decision: 'escalate', why: 'the judge is unsure (confidence 0.20): as it is' },
      { kind: 'attempt-waiting', for: { asks: 'act', hint: expect.stringContaining('longhaul retry t1') } },
    ])
  })
})

describe('without an opinion the checks alone decide', () => {
  const GONE = problem({ code: 'judge-unreachable', message: 'No answer.', hint: '', retry: 'later' })
  test.each([
    ['the judge is down', { kind: 'opinion', opinion: null, why: 'No answer.' } as const],
    ['the effect reports a problem', { kind: 'trouble', problem: GONE } as const],
  ])('%s', (_, report) => {
    expect(reported(atJudge(), 'opinion:1', report)).toEqual([
      {
        kind: 'opinion-given',
        phase: 'verify',
        commit: 'c1',
        quality: null,
        confidence: null,
        decision: 'proceed',
        why: 'No answer.',
      },
      { kind: 'ready-to-land', commit: 'c1', tree: 'tree1' },
    ])
  })
})
