import { describe, expect, test } from 'vitest'
import {
  AT,
  decided,
  givenRun,
  givenTask,
  landed,
  openedRun,
  ready,
  requested,
  settledRun,
  started,
} from '../../../test/given/given-run.ts'
import type { AttemptId, Commit, LandingId, RunId, TaskId, Tree } from '../model/ids.ts'
import { accepted, type Decision, type Request } from '../model/input.ts'
import type { CarriedTask, Dependent } from '../model/landed-work.ts'
import type { RunEvent } from '../model/run-event.ts'
import { finding } from '../model/verdict.ts'
import { runEffectsDue } from './effects-due.ts'
import type { RunState } from './state.ts'

type Revert = Extract<Request, { kind: 'revert' }>

/** A request to revert a task, without dependents and carried tasks unless given. */
function revert(task: string, more: Partial<Revert> = {}): Revert {
  return { kind: 'revert', task: task as TaskId, dependents: 'refuse', resting: [], carried: [], ...more }
}

function asked(task: string, root = task): RunEvent {
  const reason = task === root ? 'requested by the user' : `it rests on ${root}`
  return { kind: 'revert-requested', task: task as TaskId, root: root as TaskId, reason }
}

function reverted(task: string): readonly RunEvent[] {
  const landing = `revert:${task}` as LandingId
  const [line, commit] = ['l' as Commit, `undone-${task}` as Commit]
  return [
    { kind: 'candidate-prepared', landing, line, base: line, commit, tree: 'tree' as Tree, target: line },
    { kind: 'candidate-checked', landing, commit, receipts: [] },
    { kind: 'reverted', task: task as TaskId, commit, receipts: [] },
    { kind: 'target-followed', commit },
  ]
}

function files(task: string, on: string, ...names: readonly string[]): Dependent {
  return { task: task as TaskId, on: on as TaskId, files: names }
}

function standings({ tasks }: RunState): Record<string, string> {
  return Object.fromEntries([...tasks].map(([id, { standing }]) => [id, standing]))
}

function problemOf(decision: Decision<RunEvent>): object {
  return decision.kind === 'refused' ? decision.problem : {}
}

const CHAIN = [givenTask('a'), givenTask('b', ['a']), givenTask('c', ['b'])]

test('goes through the landing queue', () => {
  const state = givenRun(...openedRun([givenTask('a')]), ...landed('a'))
  expect(requested(state, revert('a'))).toEqual(accepted([asked('a')]))
  const reverting = givenRun(...openedRun([givenTask('a')]), ...landed('a'), asked('a'))
  expect(runEffectsDue(reverting, AT)).toMatchObject([
    { kind: 'prepare-candidate', subject: { kind: 'revert', commit: 'landed-a' } },
  ])
  expect(problemOf(requested(reverting, revert('a')))).toMatchObject({ code: 'revert-under-way' })
})

test('reopens an ended run', () => {
  const state = givenRun(...openedRun([givenTask('a')]), ...landed('a'))
  settledRun(state)
  expect(requested(state, revert('a'))).toMatchObject(
    accepted([{ kind: 'run-reopened' }, { kind: 'revert-requested' }]),
  )
})

test('is refused for work that has not landed', () => {
  const open = givenRun(...openedRun([givenTask('a')]))
  expect(problemOf(requested(open, revert('a')))).toMatchObject({ message: 'a is ready and has not landed.' })
  const done = givenRun(...openedRun([givenTask('a')]), ...landed('a'), asked('a'), ...reverted('a'))
  expect(problemOf(requested(done, revert('a')))).toMatchObject({
    message: 'a is already reverted by undone-a.',
    hint: 'To do it again: longhaul retry a',
  })
  expect(problemOf(requested(open, revert('x')))).toMatchObject({ code: 'unknown-task' })
})

describe('a reverted task', () => {
  test('counts as done: the run ends without a failure', () => {
    const state = givenRun(...openedRun([givenTask('a')]), ...landed('a'), asked('a'), ...reverted('a'))
    expect(standings(state)).toEqual({ a: 'reverted' })
    expect(settledRun(state)).toEqual([
      { kind: 'run-ended', done: 0, failed: 0, reason: 'every task is done, 1 reverted' },
    ])
  })

  test('blocks tasks after it that have not started, until it is retried or skipped', () => {
    const state = givenRun(...openedRun(CHAIN), ...landed('a'), asked('a'), ...reverted('a'))
    expect(standings(state)).toEqual({ a: 'reverted', b: 'blocked', c: 'blocked' })
    expect(problemOf(requested(state, { kind: 'retry', task: 'b' as TaskId }))).toMatchObject({
      message: 'b is blocked by a, which was reverted.',
      hint: 'Run "longhaul retry a" to do it again, or "longhaul skip a" to go on without it.',
    })
    expect(settledRun(state)).toEqual([
      { kind: 'run-ended', done: 0, failed: 2, reason: '2 tasks are blocked by reverted tasks' },
    ])
    expect(requested(state, { kind: 'retry', task: 'a' as TaskId })).toMatchObject(
      accepted([{ kind: 'run-reopened' }, { kind: 'task-reopened', task: 'a' }]),
    )
    expect(requested(state, { kind: 'skip', task: 'a' as TaskId })).toMatchObject(
      accepted([{ kind: 'run-reopened' }, { kind: 'task-skipped', task: 'a' }]),
    )
  })

  test('leaves a dependent alone that is being worked on', () => {
    const state = givenRun(...openedRun(CHAIN), ...landed('a'), started('b'), asked('a'), ...reverted('a'))
    expect(standings(state)).toEqual({ a: 'reverted', b: 'running', c: 'blocked' })
  })
})

describe('with landed tasks that rest on it', () => {
  const state = givenRun(...openedRun([...CHAIN, givenTask('d')]), ...['a', 'b', 'c', 'd'].flatMap(landed))
  const resting = [files('d', 'b', 'f.txt', 'g.txt'), files('c', 'b'), files('b', 'a')]

  test('is refused, and names them', () => {
    expect(problemOf(requested(state, revert('a', { resting })))).toMatchObject({
      code: 'revert-has-dependents',
      message:
        'a was not reverted: 3 landed tasks rest on it: d (changed f.txt and 1 more after b); c (after b); b (after a).',
      hint: 'To revert all of them, newest first: longhaul revert a --with-dependents. To revert only a: longhaul revert a --alone',
    })
    expect(problemOf(requested(state, revert('b', { resting: [] })))).toMatchObject({
      message: 'b was not reverted: a landed task rests on it: c (after b).',
    })
  })

  test('reverts them first, newest first', () => {
    expect(requested(state, revert('a', { resting, dependents: 'revert' }))).toEqual(
      accepted([asked('d', 'a'), asked('c', 'a'), asked('b', 'a'), asked('a')]),
    )
  })

  test('reverts those first that landed after the request was made', () => {
    expect(requested(state, revert('a', { resting: [files('b', 'a')], dependents: 'revert' }))).toEqual(
      accepted([asked('c', 'a'), asked('b', 'a'), asked('a')]),
    )
  })

  test('finds their order when git does not show it', () => {
    const changed: RunEvent = { kind: 'task-changed', task: givenTask('c', ['b']) }
    const opened = openedRun([givenTask('c'), givenTask('a'), givenTask('b', ['a'])])
    const mixed = givenRun(...opened, changed, ...['a', 'b', 'c'].flatMap(landed))
    expect(requested(mixed, revert('a', { dependents: 'revert' }))).toEqual(
      accepted([asked('c', 'a'), asked('b', 'a'), asked('a')]),
    )
  })

  test('leaves them when it is to be reverted alone', () => {
    expect(requested(state, revert('a', { resting, dependents: 'keep' }))).toEqual(accepted([asked('a')]))
  })

  test('passes over those that are reverted or being reverted', () => {
    const events = [...openedRun(CHAIN), ...['a', 'b', 'c'].flatMap(landed), asked('c'), ...reverted('c'), asked('b')]
    expect(requested(givenRun(...events), revert('a', { resting }))).toEqual(accepted([asked('a')]))
  })

  test('is refused while one of them lands', () => {
    const landing = givenRun(...openedRun(CHAIN), ...landed('a'), started('b'), ready('b'))
    expect(problemOf(requested(landing, revert('a', { dependents: 'revert' })))).toMatchObject({
      message: 'a was not reverted: b, which rests on it, is landing now.',
    })
  })

  test('is called off when one of them cannot be reverted', () => {
    const events = [...openedRun(CHAIN), ...['a', 'b', 'c'].flatMap(landed)]
    const reverting = givenRun(...events, asked('c', 'a'), asked('b', 'a'), asked('a'))
    const findings = [finding('merge', 'd changed f.txt after it')]
    const [effect] = runEffectsDue(reverting, AT)
    const report = { kind: 'conflict' as const, line: 'landed-c' as Commit, findings }
    const decision = decided(reverting, { kind: 'report', effect: effect?.id ?? '', report })
    const refusal = { kind: 'revert-refused', reason: 'c rests on it and could not be reverted', findings: [] }
    expect(decision).toMatchObject(
      accepted([
        { kind: 'candidate-refused', landing: 'revert:c' },
        { kind: 'revert-refused', task: 'c', reason: 'd changed f.txt after it' },
        { ...refusal, task: 'b' },
        { ...refusal, task: 'a' },
      ]),
    )
    const after = givenRun(
      ...events,
      asked('c', 'a'),
      asked('b', 'a'),
      asked('a'),
      ...(decision.kind === 'accepted' ? decision.events : []),
    )
    expect([standings(after), after.landings]).toEqual([{ a: 'done', b: 'done', c: 'done' }, []])
    expect(after.tasks.get('c' as TaskId)?.revert).toEqual({ kind: 'refused', reason: 'd changed f.txt after it' })
  })
})

test('takes over a task that an earlier run has landed', () => {
  const carried: CarriedTask = {
    run: 'r0' as RunId,
    task: givenTask('old', ['older'], { milestone: 'm0' as never }),
    attemptsBefore: 2,
    landed: { attempt: 'old-a2' as AttemptId, commit: 'landed-old' as Commit, receipts: [] },
  }
  const events = [...openedRun([givenTask('a')]), ...landed('a')]
  const decision = requested(givenRun(...events), revert('old', { carried: [carried] }))
  expect(decision).toEqual(accepted([{ kind: 'task-carried-over', ...carried }, asked('old')]))
  const state = givenRun(...events, ...(decision.kind === 'accepted' ? decision.events : []))
  expect(standings(state)).toEqual({ a: 'done', old: 'done' })
  expect(runEffectsDue(state, AT)).toMatchObject([{ subject: { kind: 'revert', task: 'old', commit: 'landed-old' } }])
  const over = givenRun(...events, ...(decision.kind === 'accepted' ? decision.events : []), ...reverted('old'))
  expect(standings(over)).toEqual({ a: 'done', old: 'reverted' })
})
