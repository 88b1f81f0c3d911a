import { describe, expect, test } from 'vitest'
import {
  AT,
  attemptEvent,
  ended,
  givenRun,
  givenSettings,
  givenTask,
  landed,
  openedRun,
  ready,
  requested,
  settledRun,
  started,
} from '../../../test/given/given-run.ts'
import type { AttemptId, TaskId } from '../model/ids.ts'
import { accepted } from '../model/input.ts'
import type { RunEvent } from '../model/run-event.ts'
import { runEffectsDue } from './effects-due.ts'
import { evolveRun } from './evolve.ts'
import { runCondition } from './run-condition.ts'
import type { RunState } from './state.ts'

const [T1, A1] = ['t1' as TaskId, 't1-a1' as AttemptId]
const CHAIN = [givenTask('t1'), givenTask('t2', ['t1'])]
const PAUSED: RunEvent = { kind: 'run-paused', reason: 'requested by the user' }
const RESUMED: RunEvent = { kind: 'run-resumed', reason: 'requested by the user' }
const WAITS: RunEvent = {
  kind: 'attempt-waiting',
  attempt: A1,
  seq: 4,
  for: { kind: 'pause' },
  reason: 'the run is paused',
}

function standings(state: RunState): Record<string, string> {
  return Object.fromEntries([...state.tasks].map(([id, record]) => [id, record.standing]))
}

function messages(state: RunState): readonly unknown[] {
  return [...state.messages.values()].map(({ message }) => message)
}

describe('a pause', () => {
  test('is recorded once, and so is its end', () => {
    const state = givenRun(...openedRun(CHAIN))
    expect(requested(state, { kind: 'resume' })).toEqual(accepted([]))
    expect(requested(state, { kind: 'pause' })).toEqual(accepted([PAUSED]))
    evolveRun(state, PAUSED, AT)
    expect(requested(state, { kind: 'pause' })).toEqual(accepted([]))
    expect(requested(state, { kind: 'resume' })).toEqual(accepted([RESUMED]))
  })

  test('lets nothing start, and makes working attempts wait after their round', () => {
    const state = givenRun(...openedRun([givenTask('t1'), givenTask('t3')]), started('t1'), PAUSED)
    expect(settledRun(state)).toEqual([])
    expect(messages(state)).toEqual([{ kind: 'pause', reason: 'requested by the user' }])
    evolveRun(state, WAITS, AT)
    expect(standings(state)).toEqual({ t1: 'parked', t3: 'ready' })
    expect(settledRun(state)).toEqual([])
  })

  test('ends when the user resumes the run: waiting attempts resume first', () => {
    const state = givenRun(...openedRun([givenTask('t1'), givenTask('t3')]), started('t1'), PAUSED, WAITS, RESUMED)
    expect(settledRun(state)).toMatchObject([
      { kind: 'attempt-resumed', attempt: A1, stretch: 2, reason: 'the run was resumed' },
      { kind: 'attempt-started', tasks: ['t3'] },
    ])
  })

  test('is the condition of a run that has nothing else to do, until the run ends', () => {
    const waiting = givenRun(...openedRun(CHAIN), PAUSED)
    expect(runCondition(waiting, AT)).toEqual({ kind: 'paused', since: AT })
    const over = givenRun(...openedRun([givenTask('t1')]), PAUSED, ...landed('t1'))
    expect(settledRun(over)).toMatchObject([{ kind: 'run-ended' }])
    expect(over.pausedAt).toBe(null)
    expect(requested(over, { kind: 'pause' })).toMatchObject({ problem: { code: 'nothing-to-pause' } })
  })
})

describe('a task that is skipped', () => {
  const skip = (state: RunState, task = T1) => requested(state, { kind: 'skip', task })
  const skipped: RunEvent = {
    kind: 'task-skipped',
    task: T1,
    reason: 'skipped by the user',
    dependents: ['t2' as TaskId],
  }

  test('lets its dependents start, and names them', () => {
    const state = givenRun(...openedRun(CHAIN))
    expect(skip(state)).toEqual(accepted([skipped]))
    evolveRun(state, skipped, AT)
    expect(standings(state)).toEqual({ t1: 'skipped', t2: 'ready' })
    expect(skip(state)).toEqual(accepted([]))
    expect(settledRun(state)).toMatchObject([
      { kind: 'attempt-started', tasks: ['t2'], reason: 'slot 1 of 3 (t1 skipped)' },
    ])
  })

  test('has its attempt stopped, and neither fails nor is retried', () => {
    const state = givenRun(...openedRun([givenTask('t1')]), started('t1'))
    const decision = skip(state)
    expect(decision).toMatchObject({
      events: [{ kind: 'task-skipped' }, { kind: 'attempt-stopping', attempt: A1, cause: 'stopped' }],
    })
    for (const event of decision.kind === 'accepted' ? decision.events : []) evolveRun(state, event, AT)
    const { seq: _, attempt: __, ...end } = ended('t1', { outcome: 'abandoned', cause: 'stopped' }) as Ended
    expect(attemptEvent(state, A1, 9, end)).toMatchObject({ events: [{ kind: 'attempt-ended' }] })
    evolveRun(state, ended('t1', { outcome: 'abandoned', cause: 'stopped' }), AT)
    expect(standings(state)).toEqual({ t1: 'skipped' })
    expect(settledRun(state)).toMatchObject([{ kind: 'run-ended', done: 0, failed: 0 }])
  })

  test('can be retried', () => {
    const state = givenRun(...openedRun(CHAIN), skipped)
    expect(requested(state, { kind: 'retry', task: T1 })).toMatchObject({ events: [{ kind: 'task-reopened' }] })
  })

  test('reopens a run that ended because of it', () => {
    const state = givenRun(...openedRun(CHAIN), { kind: 'task-failed', task: T1, reason: 'red' })
    settledRun(state).forEach(() => {})
    expect(skip(state)).toMatchObject({ events: [{ kind: 'run-reopened' }, { kind: 'task-skipped' }] })
  })

  test.each<[string, RunState, string]>([
    ['is done', givenRun(...openedRun(CHAIN), ...landed('t1')), 'task-done'],
    ['is landing', givenRun(...openedRun(CHAIN), started('t1'), ready('t1')), 'task-landing'],
    ['is unknown', givenRun(...openedRun([])), 'unknown-task'],
  ])('is refused when it %s', (_, state, code) => {
    expect(skip(state)).toMatchObject({ kind: 'refused', problem: { code } })
  })
})

type Ended = Extract<RunEvent, { kind: 'attempt-ended' }>

describe('steering', () => {
  const steer = (state: RunState, text = 'use tabs') => requested(state, { kind: 'steer', task: T1, text })
  const steered: RunEvent = { kind: 'task-steered', task: T1, number: 1, text: 'use tabs' }
  const message = { kind: 'steer', number: 1, text: 'use tabs' }

  test('is recorded, and sent to the live attempt', () => {
    const state = givenRun(...openedRun(CHAIN), started('t1'))
    expect(steer(state)).toEqual(accepted([steered]))
    evolveRun(state, steered, AT)
    expect(messages(state)).toEqual([message])
    expect(steer(state, 'and LF')).toEqual(accepted([{ ...steered, number: 2, text: 'and LF' }]))
  })

  test('waits for the first attempt, and is sent to every later one', () => {
    const state = givenRun(...openedRun(CHAIN), steered, started('t1'))
    expect(messages(state)).toEqual([message])
    for (const event of [ended('t1'), started('t1', 2)]) evolveRun(state, event, AT)
    expect(messages(state)).toEqual([message])
  })

  test('is delivered in order, one message at a time', () => {
    const state = givenRun(...openedRun(CHAIN), started('t1'), steered, { ...steered, number: 2 } as RunEvent)
    const messages = runEffectsDue(state, AT).filter((effect) => effect.kind === 'tell-attempt')
    expect(messages.map(({ id, room }) => [id, room])).toEqual([
      ['message:t1-a1:steer:1', 'message:t1-a1'],
      ['message:t1-a1:steer:2', 'message:t1-a1'],
    ])
  })

  test.each<[string, RunState, string, string]>([
    ['nothing', givenRun(...openedRun(CHAIN)), ' ', 'text-empty'],
    ['a task that is done', givenRun(...openedRun(CHAIN), ...landed('t1')), 'x', 'nothing-to-steer'],
    ['a task that is landing', givenRun(...openedRun(CHAIN), started('t1'), ready('t1')), 'x', 'task-landing'],
  ])('is refused for %s', (_, state, text, code) => {
    expect(steer(state, text)).toMatchObject({ kind: 'refused', problem: { code } })
  })
})

test('a new priority, imported during a run, changes which task starts next', () => {
  const tasks = ['t1', 't2', 't3'].map((id) => givenTask(id))
  const limits = { ...givenSettings().limits, parallel: 1 }
  const state = givenRun(...openedRun(tasks, { limits }), started('t1'))
  const urgent = givenTask('t3', [], { priority: 5 })
  const decision = requested(state, {
    kind: 'add-tasks',
    backlog: { milestones: [], tasks: [...tasks.slice(0, 2), urgent] },
    attemptsBefore: {},
  })
  expect(decision).toEqual(accepted([{ kind: 'task-changed', task: urgent }]))
  for (const event of decision.kind === 'accepted' ? decision.events : []) evolveRun(state, event, AT)
  evolveRun(state, ready('t1'), AT)
  expect(settledRun(state)).toMatchObject([{ kind: 'attempt-started', tasks: ['t3'] }])
})

test('a stopping attempt neither waits nor lands', () => {
  const stopping: RunEvent = { kind: 'attempt-stopping', attempt: A1, cause: 'stopped', reason: 'stopped by the user' }
  const state = givenRun(...openedRun(CHAIN), started('t1'), stopping)
  const limit = { kind: 'limit' as const, credential: 'scripted', until: AT + 1000, estimated: false }
  expect(attemptEvent(state, A1, 5, { kind: 'attempt-waiting', for: limit, reason: '429' })).toMatchObject({
    events: [{ kind: 'limit-hit' }],
  })
  expect(attemptEvent(state, A1, 5, { kind: 'ready-to-land', commit: 'c' as never, tree: 't' as never })).toEqual(
    accepted([]),
  )
})
