import { describe, expect, test } from 'vitest'
import {
  AT,
  attemptEvent,
  ended,
  givenRun,
  givenSettings,
  givenTask,
  openedRun,
  settledRun,
  started,
} from '../../../test/given/given-run.ts'
import { credentialOf } from '../limits/credential.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { AttemptId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import { NO_TOTALS } from '../model/usage.ts'
import { runCondition } from './run-condition.ts'

describe('a credential', () => {
  test.each([
    ['nothing about signing in', {}, { LANG: 'C' }, true],
    ['another key', { ANTHROPIC_API_KEY: '$A' }, { ANTHROPIC_API_KEY: '$B' }, false],
    ['the same key', { ANTHROPIC_API_KEY: '$A', LANG: 'C' }, { ANTHROPIC_API_KEY: '$A' }, true],
    ['another endpoint', { ANTHROPIC_BASE_URL: 'http://a' }, { ANTHROPIC_BASE_URL: 'http://b' }, false],
    ['another login', {}, { CLAUDE_CONFIG_DIR: '/a' }, false],
  ])('depends on the sign-in settings: %s', (_what, one, other, isSame) => {
    const [a, b] = [one, other].map((env) => credentialOf({ driver: 'claude', env: env as Record<string, string> }))
    expect(a === b).toBe(isSame)
  })

  test('reveals nothing of a key', () => {
    const name = credentialOf({ driver: 'claude', env: { ANTHROPIC_API_KEY: 'very-secret' } })
    expect(name).toMatch(/^claude \([0-9a-f]{10}\)$/)
  })
})

const OTHER: RunEvent = {
  kind: 'settings-adopted',
  values: givenSettings({ agent: { ...givenSettings().agent, env: { API_KEY: '$B' } } }),
  digest: 'd2',
  changed: [],
  fixed: [],
}

test('a usage limit parks its own credential; others continue', () => {
  const wait = { kind: 'limit' as const, credential: 'scripted', until: AT + 1000, estimated: false }
  const parked: readonly RunEvent[] = [
    started('t1'),
    { kind: 'attempt-waiting', attempt: 't1-a1' as AttemptId, seq: 5, for: wait, reason: 'usage limit: 429' },
    { kind: 'limit-hit', credential: 'scripted', until: AT + 1000, estimated: false },
  ]
  const before = [...openedRun([givenTask('t1'), givenTask('t2')]), ...parked]
  expect(settledRun(givenRun(...before))).toEqual([])
  const state = givenRun(...before, OTHER)
  expect(settledRun(state)).toMatchObject([
    { kind: 'attempt-started', attempt: 't2-a1', credential: expect.stringMatching(/^scripted \(/) },
  ])
  expect(runCondition(state, AT)).toEqual({ kind: 'working' })
  expect(settledRun(state, AT + 1000)).toMatchObject([
    { kind: 'limit-cleared', credential: 'scripted' },
    { kind: 'attempt-resumed', attempt: 't1-a1' },
  ])
})

describe('limits over attempts', () => {
  const over = (changes: Partial<Extract<AttemptEvent, { kind: 'attempt-ended' }>>): AttemptEvent => ({
    kind: 'attempt-ended',
    outcome: 'failed',
    cause: 'timeout',
    reason: 'no end',
    commit: null,
    phase: 'verify',
    note: null,
    totals: NO_TOTALS,
    activeMs: 0,
    longest: null,
    findings: [],
    ...changes,
  })

  test('the time limit of a task covers all its attempts', () => {
    const first = ended('t1', { cause: 'timeout', activeMs: 20_000_000 })
    const state = givenRun(...openedRun([givenTask('t1')]), started('t1'), first)
    const [again] = settledRun(state)
    expect(again).toMatchObject({ kind: 'attempt-started', limits: { taskMs: 1_600_000 } })
    const decision = attemptEvent(state, 't1-a2', 9, over({ activeMs: 1_600_000 }))
    expect(decision).toMatchObject({
      events: [{}, { kind: 'task-failed', reason: 'time limit of 6h00m used up in 2 attempts; the last one: no end' }],
    })
  })

  test('a budget warning names the task', () => {
    const budget = { taskUsd: 10, runUsd: null, dayUsd: null }
    const state = givenRun(...openedRun([givenTask('t1')], { budget }), started('t1'))
    expect(attemptEvent(state, 't1-a1', 9, over({ totals: { ...NO_TOTALS, usd: 8.5 } }))).toMatchObject({
      events: [{}, { kind: 'budget-crossed', budget: 'task', task: 't1', share: 0.8, usd: 8.5, limitUsd: 10 }],
    })
  })

  test('samples of landed tasks decide the limits of the next task of that kind, across runs', () => {
    const tasks = [givenTask('t1', [], { type: 'testing' }), givenTask('t2', [], { type: 'planning' })]
    const [opening, ...rest] = openedRun(tasks)
    const samplesBefore = { testing: Array.from({ length: 5 }, () => ({ turns: 20, ms: 60_000 })) }
    const state = givenRun({ ...(opening as Extract<RunEvent, { kind: 'run-opened' }>), samplesBefore }, ...rest)
    expect(settledRun(state)).toMatchObject([
      {
        kind: 'attempt-started',
        limits: { turns: 30, turnsWhy: expect.stringContaining('5 landed tasks'), roundMs: 900_000 },
      },
      { kind: 'attempt-started', limits: { turns: 25, roundMs: 7_200_000 } },
    ])
    const landed = givenRun(
      ...openedRun(tasks),
      started('t1'),
      ended('t1', { outcome: 'landed', longest: { turns: 7, ms: 1 } }),
    )
    expect(landed.samples).toEqual({ testing: [{ turns: 7, ms: 1 }] })
  })
})
