import { describe, expect, test } from 'vitest'
import {
  AT,
  attemptEvent,
  decided,
  ended,
  givenRun,
  givenSettings,
  givenTask,
  LINE,
  landed,
  openedRun,
  ready,
  requested,
  settledRun,
  started,
} from '../../../test/given/given-run.ts'
import type { AttemptId, Commit, TaskId, Tree } from '../model/ids.ts'
import { accepted, type RunReport } from '../model/input.ts'
import { problem } from '../model/problem.ts'
import type { RunEvent } from '../model/run-event.ts'
import { NO_TOTALS } from '../model/usage.ts'
import { finding } from '../model/verdict.ts'
import { runEffectsDue } from './effects-due.ts'
import { evolveRun } from './evolve.ts'
import { runCondition } from './run-condition.ts'
import type { RunState } from './state.ts'

const T1 = 't1' as TaskId
const A1 = 't1-a1' as AttemptId
const ONE = [givenTask('t1')]
const CHAIN = [givenTask('t1'), givenTask('t2', ['t1'])]
const GATE = {
  name: 'tests',
  run: 'npm test',
  onFail: 'block' as const,
  timeoutMs: 1000,
  protect: [],
  coverage: null,
  canary: { when: 'never' as const, plant: null },
}

function standings(state: RunState): Record<string, string> {
  return Object.fromEntries([...state.tasks].map(([id, record]) => [id, record.standing]))
}

function due(state: RunState, at = AT): readonly string[] {
  return runEffectsDue(state, at).map((effect) => effect.id)
}

describe('tasks are added', () => {
  const add = (state: RunState, ...tasks: ReturnType<typeof givenTask>[]) =>
    requested(state, { kind: 'add-tasks', backlog: { milestones: [], tasks }, attemptsBefore: { t1: 4 } })

  test('with their attempts in earlier runs', () => {
    expect(add(givenRun(...openedRun([])), givenTask('t1'))).toEqual(
      accepted([{ kind: 'task-added', task: givenTask('t1'), attemptsBefore: 4 }]),
    )
  })

  test('identical ones change nothing, changed ones replace those that have not started', () => {
    const state = givenRun(...openedRun(CHAIN))
    const changed = givenTask('t2', [], { title: 'Other' })
    expect(add(state, givenTask('t1'), changed)).toEqual(accepted([{ kind: 'task-changed', task: changed }]))
  })

  test('changed ones that have started are refused by name', () => {
    const state = givenRun(...openedRun(ONE), started('t1'))
    expect(add(state, givenTask('t1', [], { title: 'Other' }))).toMatchObject({
      kind: 'refused',
      problem: { code: 'task-started', message: 't1 cannot be changed: work has started.' },
    })
  })

  test('a cycle through existing tasks is refused with its path', () => {
    const decision = add(givenRun(...openedRun(CHAIN)), givenTask('t1', ['t2']))
    expect(decision).toMatchObject({ kind: 'refused', problem: { code: 'backlog-fault' } })
    expect(decision.kind === 'refused' && decision.problem.message).toMatch(/t1 → t2 → t1|t2 → t1 → t2/)
  })
})

describe('attempts start', () => {
  test('for ready tasks, as many as there are slots, highest priority and longest chain first', () => {
    const tasks = [givenTask('a'), givenTask('b'), givenTask('c', ['b']), givenTask('d', [], { priority: 1 })]
    const state = givenRun(...openedRun(tasks, { limits: { ...givenSettings().limits, parallel: 2 } }))
    expect(settledRun(state)).toMatchObject([
      { kind: 'attempt-started', attempt: 'd-a1', base: LINE, reason: 'slot 1 of 2 (no dependencies)' },
      { kind: 'attempt-started', attempt: 'b-a1', reason: 'slot 2 of 2 (no dependencies)' },
    ])
  })

  test('only after their dependencies have landed', () => {
    const state = givenRun(...openedRun(CHAIN))
    expect(settledRun(state)).toMatchObject([{ attempt: 't1-a1' }])
    const after = givenRun(...openedRun(CHAIN), ...landed('t1'))
    expect(settledRun(after)).toMatchObject([
      { attempt: 't2-a1', base: 'landed-t1', reason: 'slot 1 of 3 (t1 landed)' },
    ])
  })

  test('not before the landing line is open and the baseline checked', () => {
    const events = openedRun(ONE, { gates: [GATE] })
    expect(settledRun(givenRun(...events.slice(0, -1)))).toEqual([])
    expect(due(givenRun(...events.slice(0, -1)))).toEqual(['line'])
    expect(settledRun(givenRun(...events))).toEqual([])
    expect(due(givenRun(...events))).toEqual(['baseline:0'])
  })

  test('again after a failure: from the landing line when the approach was rejected, else from the last work', () => {
    for (const [cause, base] of [
      ['checks', LINE],
      ['timeout', 'work'],
    ] as const) {
      const state = givenRun(...openedRun(ONE), started('t1'), ended('t1', { cause }))
      expect(settledRun(state)).toMatchObject([
        {
          attempt: 't1-a2',
          number: 2,
          base,
          retryBrief: 'Attempt t1-a1 failed in the phase verify: the tests are red',
        },
      ])
    }
  })

  test('with an allowance that keeps all of them within the budgets', () => {
    const tasks = [givenTask('a'), givenTask('b'), givenTask('c')]
    const state = givenRun(...openedRun(tasks, { budget: { taskUsd: 2, runUsd: 5, dayUsd: null } }))
    expect(settledRun(state)).toMatchObject([
      { allowance: { usd: 2, budget: 'task' } },
      { allowance: { usd: 2, budget: 'task' } },
    ])
    expect(state.counts.ready).toBe(1)
  })
})

describe('an attempt reports', () => {
  const working = () => givenRun(...openedRun(CHAIN), started('t1'))

  test('that it was stopped while working: its slot is free only when its agent has ended', () => {
    const two = [givenTask('t1', []), givenTask('t2', [])]
    const limits = { ...givenSettings().limits, parallel: 1 }
    const state = givenRun(...openedRun(two, { limits }), started('t1'))
    const stopping: RunEvent = { kind: 'attempt-stopping', attempt: A1, cause: 'stopped', reason: 'by a person' }
    evolveRun(state, stopping, AT)
    expect(settledRun(state)).toEqual([])
    evolveRun(state, ended('t1', { cause: 'stopped' }), AT)
    expect(settledRun(state)).toMatchObject([{ kind: 'attempt-started' }])
  })

  test('that it is ready: its slot is free, and it is next to land', () => {
    const event = { kind: 'ready-to-land' as const, commit: 'work-t1' as Commit, tree: 'tree' as Tree }
    expect(attemptEvent(working(), A1, 5, event)).toEqual(accepted([ready('t1')]))
    expect(due(givenRun(...openedRun(CHAIN), started('t1'), ready('t1')))).toEqual(['prepare:t1-a1:work-t1:0'])
  })

  test('a fact that the run has already seen: nothing changes', () => {
    const state = givenRun(...openedRun(CHAIN), started('t1'), ready('t1', 5))
    const event = { kind: 'ready-to-land' as const, commit: 'other' as Commit, tree: 'tree' as Tree }
    expect(attemptEvent(state, A1, 5, event)).toEqual(accepted([]))
    expect(attemptEvent(state, 'other-a1', 9, event)).toEqual(accepted([]))
  })

  test('a usage limit: all attempts with that credential wait, and resume by themselves', () => {
    const wait = { kind: 'limit' as const, credential: 'scripted', until: AT + 1000, estimated: false }
    const decision = attemptEvent(working(), A1, 5, { kind: 'attempt-waiting', for: wait, reason: 'usage limit' })
    expect(decision).toMatchObject(accepted([{ kind: 'attempt-waiting' }, { kind: 'limit-hit', until: AT + 1000 }]))
    const events = decision.kind === 'accepted' ? decision.events : []
    const state = givenRun(...openedRun([...CHAIN, givenTask('t3')]), started('t1'), ...events)
    expect(settledRun(state)).toEqual([])
    expect(standings(state)).toEqual({ t1: 'parked', t2: 'waiting', t3: 'ready' })
    expect(runCondition(state, AT)).toEqual({ kind: 'parked', until: AT + 1000 })
    expect(settledRun(state, AT + 1000)).toMatchObject([
      { kind: 'limit-cleared' },
      { kind: 'attempt-resumed', attempt: A1, stretch: 2, reason: 'the usage limit was lifted' },
      { kind: 'attempt-started', attempt: 't3-a1' },
    ])
  })

  test('its third failure: the task has failed, and its dependents are blocked', () => {
    const twice = [
      started('t1'),
      ended('t1'),
      started('t1', 2),
      ended('t1', { attempt: 't1-a2' as AttemptId }),
      started('t1', 3),
    ]
    const state = givenRun(...openedRun(CHAIN), ...twice)
    const event = { ...ended('t1'), seq: undefined, attempt: undefined } as never
    const decision = attemptEvent(state, 't1-a3', 9, event)
    expect(decision).toMatchObject(
      accepted([
        { kind: 'attempt-ended' },
        { kind: 'task-failed', task: T1, reason: '3 of 3 attempts failed; the last one: the tests are red' },
      ]),
    )
    const events = decision.kind === 'accepted' ? decision.events : []
    const over = givenRun(...openedRun(CHAIN), ...twice, ...events)
    expect(standings(over)).toEqual({ t1: 'failed', t2: 'blocked' })
    expect(settledRun(over)).toMatchObject([{ kind: 'run-ended', done: 0, failed: 2 }])
  })

  test.each(['setup', 'config'] as const)('a wrong %s: a retry is pointless', (cause) => {
    const event = {
      kind: 'attempt-ended' as const,
      outcome: 'failed' as const,
      cause,
      reason: 'no',
      phase: 'verify',
      note: null,
      commit: null,
      totals: NO_TOTALS,
      activeMs: 0,
      longest: null,
      findings: [],
    }
    expect(attemptEvent(working(), A1, 5, event)).toMatchObject(
      accepted([{ kind: 'attempt-ended' }, { kind: 'task-failed', reason: 'no' }]),
    )
  })
})

describe('landing', () => {
  const prepared = {
    kind: 'prepared' as const,
    line: LINE,
    base: LINE,
    commit: 'm1' as Commit,
    tree: 'tree' as Tree,
    target: LINE,
  }
  const queue = [
    ...openedRun(CHAIN, { gates: [GATE] }),
    { kind: 'baseline-checked' as const, commit: LINE, passed: true, receipts: [], findings: [] },
    started('t1'),
    ready('t1'),
  ]
  const report = (state: RunState, effect: string, what: RunReport) =>
    decided(state, { kind: 'report', effect, report: what })
  const events = (decision: ReturnType<typeof decided>) => (decision.kind === 'accepted' ? decision.events : [])

  test('records the candidate, checks it, moves the line, and only then completes the task', () => {
    const first = events(report(givenRun(...queue), 'prepare:t1-a1:work-t1:0', prepared))
    expect(first).toMatchObject([{ kind: 'candidate-prepared', commit: 'm1' }])
    const checking = givenRun(...queue, ...first)
    expect(due(checking)).toEqual(['check:m1:0'])
    const second = events(
      report(checking, 'check:m1:0', { kind: 'checked', verdict: { passed: true, receipts: [], findings: [] } }),
    )
    const advancing = givenRun(...queue, ...first, ...second)
    expect(due(advancing)).toEqual(['advance:m1'])
    expect(standings(advancing).t1).toBe('landing')
    const third = events(report(advancing, 'advance:m1', { kind: 'advanced', commit: 'm1' as Commit }))
    expect(third).toMatchObject([{ kind: 'landed', attempt: A1, tasks: [T1], commit: 'm1' }])
    const over = givenRun(...queue, ...first, ...second, ...third)
    expect(standings(over)).toEqual({ t1: 'done', t2: 'ready' })
    expect(due(over)).toEqual(['work:t1-a1:1', 'message:t1-a1:landed', 'follow:m1:0'])
  })

  test('that fails on the merged tree returns to the attempt with its findings', () => {
    const first = events(report(givenRun(...queue), 'prepare:t1-a1:work-t1:0', prepared))
    const red = finding('tests', 'red')
    const refused = events(
      report(givenRun(...queue, ...first), 'check:m1:0', {
        kind: 'checked',
        verdict: { passed: false, receipts: [], findings: [red] },
      }),
    )
    expect(refused).toMatchObject([{ kind: 'candidate-refused', cause: 'checks', findings: [red] }])
    const state = givenRun(...queue, ...first, ...refused)
    expect(due(state)).toEqual(['message:t1-a1:refused:5'])
    expect(settledRun(state)).toMatchObject([{ kind: 'attempt-resumed', attempt: A1, stretch: 2 }])
  })

  test('after the line has moved prepares the candidate again', () => {
    const first = events(report(givenRun(...queue), 'prepare:t1-a1:work-t1:0', prepared))
    const second = events(
      report(givenRun(...queue, ...first), 'check:m1:0', {
        kind: 'checked',
        verdict: { passed: true, receipts: [], findings: [] },
      }),
    )
    const stale = events(
      report(givenRun(...queue, ...first, ...second), 'advance:m1', { kind: 'stale', line: 'line1' as Commit }),
    )
    expect(due(givenRun(...queue, ...first, ...second, ...stale))).toEqual(['prepare:t1-a1:work-t1:1'])
  })

  test('waits for a person while a lock is in the way, and blames no attempt', () => {
    const locked = problem({ code: 'git-locked', message: 'x.lock exists.', hint: 'Delete it.', retry: 'later' })
    expect(events(report(givenRun(...queue), 'prepare:t1-a1:work-t1:0', { kind: 'trouble', problem: locked }))).toEqual(
      [{ kind: 'landing-held', reason: 'x.lock exists.', hint: 'Delete it.' }],
    )
  })

  test('that needs the user is held, and retried by the next engine', () => {
    const held = events(
      report(givenRun(...queue), 'prepare:t1-a1:work-t1:0', {
        kind: 'held',
        reason: 'History was rewritten.',
        hint: 'Say what to do.',
      }),
    )
    const state = givenRun(...queue, ...held)
    expect(due(state)).toEqual([])
    expect(runCondition(state, AT)).toEqual({ kind: 'waiting', for: ['History was rewritten. Say what to do.'] })
    const takenUp = givenRun(...queue, ...held, { kind: 'engine-started', pid: 1 })
    expect(due(takenUp)).toEqual(['line'])
    const heldAgain = givenRun(...queue, ...held, { kind: 'engine-started', pid: 1 }, ...held)
    expect(runCondition(heldAgain, AT)).toMatchObject({ kind: 'waiting' })
    const moved = { kind: 'line-opened', line: 'moved', tree: 'tree1', target: 'moved' } as RunEvent
    evolveRun(takenUp, moved, AT)
    expect(runEffectsDue(takenUp, AT)).toMatchObject([{ id: 'prepare:t1-a1:work-t1:0', order: { line: 'moved' } }])
  })

  test('on a target with new commits merges both', () => {
    const behind = [...openedRun(ONE), ...landed('t1').filter((event) => event.kind !== 'target-followed')]
    const held = events(
      report(givenRun(...behind), 'follow:landed-t1:0', {
        kind: 'target-held',
        reason: 'main has commits of its own',
        command: null,
        diverged: true,
      }),
    )
    expect(held).toMatchObject([{ kind: 'target-held' }, { kind: 'sync-requested', line: 'landed-t1' }])
    expect(due(givenRun(...behind, ...held))).toEqual(['prepare:sync:landed-t1:0'])
  })

  test('a target that could not be updated is retried soon, and then does not keep the run from ending', () => {
    const dirty = { kind: 'target-held', reason: 'dirty', command: 'git merge', diverged: false } as const
    const behind = [...openedRun(ONE), ...landed('t1').filter((event) => event.kind !== 'target-followed')]
    const held = events(report(givenRun(...behind), 'follow:landed-t1:0', dirty))
    const once = givenRun(...behind, ...held)
    expect(due(once)).toEqual([])
    expect(runCondition(once, AT)).toEqual({ kind: 'working' })
    expect(settledRun(once)).toEqual([])
    expect(due(once, AT + 2_000)).toEqual(['follow:landed-t1:1'])
    const twice = givenRun(...behind, ...held, ...held)
    expect(due(twice, AT + 2_000)).toEqual([])
    expect(settledRun(twice)).toMatchObject([{ kind: 'run-ended', done: 1 }])
  })
})

describe('the user', () => {
  test('retries a failed task, which reopens the run', () => {
    const failed = [
      started('t1'),
      ended('t1'),
      { kind: 'task-failed' as const, task: T1, reason: 'no' },
      { kind: 'run-ended' as const, done: 0, failed: 1, reason: '' },
    ]
    const state = givenRun(...openedRun(ONE), ...failed)
    const decision = requested(state, { kind: 'retry', task: T1 })
    expect(decision).toMatchObject(accepted([{ kind: 'run-reopened' }, { kind: 'task-reopened', task: T1 }]))
    const again = givenRun(...openedRun(ONE), ...failed, ...(decision.kind === 'accepted' ? decision.events : []))
    expect(settledRun(again)).toMatchObject([{ kind: 'attempt-started', attempt: 't1-a2' }])
  })

  test('retries a task whose attempt waits for the user: it is stopped, and a new one follows', () => {
    const waits = {
      kind: 'attempt-waiting' as const,
      attempt: A1,
      seq: 5,
      for: {
        kind: 'person' as const,
        asks: 'act' as const,
        approvalPoint: null,
        allows: [],
        question: 'blocked: no key',
        hint: 'Give one.',
      },
      reason: '',
    }
    const before = [...openedRun(ONE), started('t1'), waits]
    expect(runCondition(givenRun(...before), AT)).toEqual({ kind: 'waiting', for: ['t1: blocked: no key. Give one.'] })
    const decision = requested(givenRun(...before), { kind: 'retry', task: T1 })
    const stopping = givenRun(...before, ...(decision.kind === 'accepted' ? decision.events : []))
    expect(due(stopping)).toEqual(['work:t1-a1:1', 'message:t1-a1:stop'])
    const event = {
      kind: 'attempt-ended' as const,
      outcome: 'abandoned' as const,
      cause: 'stopped' as const,
      reason: 'retried',
      phase: 'verify',
      note: null,
      commit: null,
      totals: NO_TOTALS,
      activeMs: 0,
      longest: null,
      findings: [],
    }
    expect(attemptEvent(stopping, A1, 9, event)).toMatchObject(
      accepted([{ kind: 'attempt-ended', outcome: 'abandoned' }]),
    )
  })

  test.each<[string, RunState, TaskId, string]>([
    ['an unknown task', givenRun(...openedRun(ONE)), 'nope' as TaskId, 'unknown-task'],
    ['a running task', givenRun(...openedRun(ONE), started('t1')), T1, 'task-not-failed'],
    ['a done task', givenRun(...openedRun(ONE), ...landed('t1')), T1, 'task-done'],
    [
      'a blocked task',
      givenRun(...openedRun(CHAIN), { kind: 'task-failed', task: T1, reason: '' }),
      't2' as TaskId,
      'task-blocked',
    ],
  ])('cannot retry %s, and gets the reason', (_what, state, task, code) => {
    expect(requested(state, { kind: 'retry', task })).toMatchObject({ kind: 'refused', problem: { code } })
  })

  test('gets the nearest name for a mistyped task', () => {
    const state = givenRun(...openedRun([givenTask('login', [])]))
    expect(requested(state, { kind: 'retry', task: 'logn' as TaskId })).toMatchObject({
      problem: { message: 'There is no task logn in run r1.', hint: 'Did you mean login?' },
    })
  })

  test('stops a task: its attempt is ended, its work kept, and the task has failed', () => {
    const state = givenRun(...openedRun(ONE), started('t1'))
    expect(requested(state, { kind: 'stop-task', task: T1 })).toEqual(
      accepted([{ kind: 'attempt-stopping', attempt: A1, cause: 'stopped', reason: 'stopped by the user' }]),
    )
    expect(requested(givenRun(...openedRun(ONE)), { kind: 'stop-task', task: T1 })).toMatchObject(
      accepted([{ kind: 'task-failed' }]),
    )
    expect(
      requested(givenRun(...openedRun(ONE), started('t1'), ready('t1')), { kind: 'stop-task', task: T1 }),
    ).toMatchObject({ problem: { code: 'task-landing' } })
  })
})

test('a spent budget waits for the user, and is named', () => {
  const state = givenRun(
    ...openedRun([givenTask('t1'), givenTask('t2')], { budget: { taskUsd: null, runUsd: 1, dayUsd: null } }),
    started('t1'),
    ended('t1', { outcome: 'landed', cause: 'landed', totals: { ...NO_TOTALS, usd: 1 } }),
  )
  expect(settledRun(state)).toEqual([])
  expect(runCondition(state, AT)).toEqual({
    kind: 'waiting',
    for: ['the run budget of 1.00 USD is spent. Raise it in longhaul.yaml, then run "longhaul run" again.'],
  })
})
