import { expect, test } from 'vitest'
import { opened, roundStarted, SESSION } from '../../../../test/given/given-attempt.ts'
import { givenModel } from '../../../../test/given/given-live.ts'
import { AT, ended, givenTask, landed, openedRun, ready, started } from '../../../../test/given/given-run.ts'
import type { Activity } from '../../model/activity.ts'
import type { AttemptEvent } from '../../model/attempt-event.ts'
import type { AttemptId, TaskId } from '../../model/ids.ts'
import type { RunEvent } from '../../model/run-event.ts'

const tasks = [
  givenTask('a'),
  givenTask('b'),
  givenTask('c', ['b']),
  givenTask('d'),
  givenTask('e', [], { priority: 5 }),
  givenTask('f'),
  givenTask('g'),
  givenTask('h', ['f']),
]

test('tasks are grouped by state: those that need the user first, ready ones in starting order, finished ones last', () => {
  const model = givenModel([
    [0, ...openedRun(tasks), ...landed('a'), started('b'), started('g'), ready('g')],
    [1, { kind: 'task-held', task: 'f' as TaskId, reason: 'the budget is spent', hint: 'Raise it.' }],
  ])
  expect(model.groups).toEqual([
    { standing: 'needs-person', tasks: ['f'] },
    { standing: 'running', tasks: ['b'] },
    { standing: 'landing', tasks: ['g'] },
    { standing: 'ready', tasks: ['e', 'd'] },
    { standing: 'waiting', tasks: ['c', 'h'] },
    { standing: 'done', tasks: ['a'] },
  ])
  expect([model.counts.ready, model.total]).toEqual([2, 8])
  expect(model.task('c' as TaskId)).toMatchObject({ standing: 'waiting', reason: 'waiting for b', attempt: null })
  expect(model.task('e' as TaskId).reason).toBe('waiting for a free slot')
  expect(model.task('f' as TaskId).reason).toBe('the budget is spent. Raise it.')
})

const used: AttemptEvent = {
  kind: 'usage-observed',
  usage: {
    session: SESSION,
    message: 'm1',
    model: 'opus',
    window: 1_000_000,
    scope: 'main',
    hourCacheWrite: 0,
    tokens: { input: 1_000, cacheRead: 70_000, cacheWrite: 4_000, output: 500 },
  },
  usd: 0.25,
  day: '1970-01-01',
}

test('a round shows its phase, its time, its turns of how many, its money, and its context by the smaller of window and cap', () => {
  const attempts = { 'a-a1': [...opened(), roundStarted(2), used] }
  const model = givenModel([[0, ...openedRun(tasks), started('a')]], { seconds: 41, attempts })
  expect(model.task('a' as TaskId).attempt).toEqual({
    attempt: 'a-a1',
    doing: 'implement · round 2',
    forMs: 41_000,
    context: 0.3,
    isTight: false,
    turns: 1,
    turnsMax: 10,
    usd: 0.25,
    handOffs: 0,
  })
  expect(model.spent).toMatchObject({ usd: 0.25, turns: 1 })
})

test.each<[Activity, string]>([
  [{ kind: 'tool', name: 'Bash' }, 'implement · round 2 · Bash'],
  [{ kind: 'waiting' }, 'implement · round 2 · waiting for the model'],
  [{ kind: 'retrying', attempt: 2, until: AT + 50_000 }, 'implement · round 2 · retrying the model in 9s'],
])('a session with activity %j shows the time since it started', (activity, doing) => {
  const shown = { attempt: 'a-a1' as AttemptId, round: 2, activity, signs: 3 }
  const model = givenModel([[0, ...openedRun(tasks), started('a')]], {
    seconds: 41,
    attempts: { 'a-a1': [...opened(), roundStarted(2)] },
    activities: [{ ...shown, since: AT + 38_000, heardAt: AT + 40_000, at: AT + 40_000 }],
  })
  expect(model.task('a' as TaskId).attempt).toMatchObject({ doing, forMs: 3_000 })
})

test.each<[string, readonly AttemptEvent[], boolean]>([
  ['starting', [], false],
  ['preparing its workspace', opened().slice(0, 1), true],
  ['implement · before round 1', opened(), false],
])('the step of an attempt reads "%s"', (doing, events, isTimed) => {
  const model = givenModel([[0, ...openedRun(tasks), started('a')]], { seconds: 5, attempts: { 'a-a1': events } })
  expect(model.task('a' as TaskId).attempt).toMatchObject({ doing, forMs: isTimed ? 5_000 : null })
})

test('limits show the time left, and problems of the whole run are listed', () => {
  const limit: RunEvent = { kind: 'limit-hit', credential: 'scripted', until: AT + 60_000, estimated: false }
  const held: RunEvent = { kind: 'landing-held', reason: 'main was rewritten.', hint: 'Look at it.' }
  const model = givenModel([[0, ...openedRun(tasks), limit, held]], { seconds: 20 })
  expect(model.limits).toEqual([{ what: 'scripted', leftMs: 40_000, isEstimated: false }])
  expect(model.held).toEqual(['Landing is on hold: main was rewritten. Look at it.'])
})

test('an attempt that has ended is not shown, and its task explains its state', () => {
  const facts = [started('a'), ended('a', { attempt: 'a-a1' as AttemptId })]
  const model = givenModel([[0, ...openedRun(tasks), ...facts]], { isDriven: false })
  expect(model.task('a' as TaskId)).toMatchObject({ attempt: null, standing: 'ready' })
  expect(model).toMatchObject({ isDriven: false, run: { id: 'r1', state: 'open', target: 'main' } })
})
