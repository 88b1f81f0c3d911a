import { expect, test } from 'vitest'
import { opened, roundEnded, roundStarted, SESSION } from '../../../../test/given/given-attempt.ts'
import { AT, ended, givenRun, givenTask, landed, openedRun, started } from '../../../../test/given/given-run.ts'
import type { AttemptEvent } from '../../model/attempt-event.ts'
import type { AttemptId, Commit, SessionId, TaskId, Tree } from '../../model/ids.ts'
import type { RunEvent } from '../../model/run-event.ts'
import { NO_TOTALS } from '../../model/usage.ts'
import { finding } from '../../model/verdict.ts'
import type { AttemptStory } from './attempt-story.ts'
import { AttemptStoryBuilder } from './attempt-story-builder.ts'
import { taskStory } from './task-story.ts'

const tasks = [givenTask('a'), givenTask('b', ['a'], { acceptance: ['it works'] }), givenTask('c', ['b'])]

function storyOf(task: string, events: readonly RunEvent[], attempts: readonly AttemptStory[] = []) {
  const facts = events.map((event) => ({ at: AT, event }))
  const run = givenRun(...openedRun(tasks), ...events)
  const at = { isDriven: false, at: AT, formatTime: () => '12:00' }
  return taskStory({ run, task: task as TaskId, facts, attempts, ...at })
}

function builderWith(...events: readonly AttemptEvent[]): AttemptStoryBuilder {
  const builder = new AttemptStoryBuilder(
    started('t1') as Extract<RunEvent, { kind: 'attempt-started' }>,
    0,
    'longhaul/t1-a1',
  )
  for (const [index, event] of events.entries()) builder.addAttemptEvent(event, index * 1000, index + 1)
  return builder
}

function used(message: string, session: SessionId = SESSION, usd: number | null = 0.5): AttemptEvent {
  const tokens = { input: 10, cacheRead: 100, cacheWrite: 5, output: 7 }
  return {
    kind: 'usage-observed',
    usage: { session, message, model: 'm', scope: 'main', hourCacheWrite: 0, tokens, window: 1000 },
    usd,
    day: '2026-11-15',
  }
}

test('lists dependencies and dependents with their states', () => {
  const { after, before, state, reason, acceptance } = storyOf('b', landed('a'))
  expect({ after, before, state, reason, acceptance }).toEqual({
    after: [{ id: 'a', title: 'Task a', state: 'done' }],
    before: [{ id: 'c', title: 'Task c', state: 'waiting' }],
    state: 'ready',
    reason: 'starts with the next "longhaul run"',
    acceptance: ['it works'],
  })
})

test('names the landed commit and the one that reverted it', () => {
  const commit = 'undone' as Commit
  const requested: RunEvent = { kind: 'revert-requested', task: 'a' as TaskId, reason: 'asked' }
  const prepared = landed('a').find(({ kind }) => kind === 'candidate-prepared') as RunEvent
  const undo: readonly RunEvent[] = [
    requested,
    { ...(prepared as Extract<RunEvent, { kind: 'candidate-prepared' }>), landing: 'revert:a' as never, commit },
    { kind: 'reverted', task: 'a' as TaskId, commit, receipts: [] },
  ]
  expect(storyOf('a', landed('a')).landed).toMatchObject({ commit: 'landed-a', proof: 'none', revertedBy: null })
  expect(storyOf('a', [...landed('a'), ...undo]).landed).toMatchObject({ commit: 'landed-a', revertedBy: 'undone' })
})

test.each<[string, string, readonly RunEvent[], unknown]>([
  ['nothing', 'a', [], null],
  [
    'a failed attempt',
    'a',
    [started('a'), ended('a')],
    {
      message: 'the tests are red',
      hint: 'The next attempt gets this in its brief.',
    },
  ],
  [
    'a failed task',
    'a',
    [{ kind: 'task-failed', task: 'a' as TaskId, reason: 'three attempts failed' }],
    {
      message: 'three attempts failed',
      hint: 'Run "longhaul retry a" to try again; "longhaul show a --dossier" shows what was tried.',
    },
  ],
  [
    'a blocker',
    'b',
    [{ kind: 'task-failed', task: 'a' as TaskId, reason: 'red' }],
    {
      message: 'a failed.',
      hint: 'Run "longhaul retry a"; b starts once it has landed.',
    },
  ],
  [
    'a question',
    'a',
    [
      started('a'),
      {
        kind: 'attempt-waiting',
        attempt: 'a-a1' as AttemptId,
        seq: 3,
        reason: 'blocked',
        for: {
          kind: 'person',
          asks: 'answer',
          approvalPoint: null,
          allows: [],
          question: 'which\ncolour?',
          hint: 'Say which.',
        },
      },
    ],
    { message: 'which colour?', hint: 'Say which.' },
  ],
])('the last problem after %s', (_, task, events, problem) => {
  expect(storyOf(task, events).problem).toEqual(problem)
})

const TWO_TURNS = {
  usd: 1,
  turns: 2,
  tokens: { input: 20, cacheRead: 200, cacheWrite: 10, output: 14 },
  usdByDay: {},
}

test('sums turns, tokens and cost by round, session and attempt', () => {
  const fresh = 'session-2' as SessionId
  const story = builderWith(
    ...opened(),
    roundStarted(1),
    used('1'),
    used('2'),
    { ...roundEnded(1, 'context-exhausted'), usd: 1, totals: TWO_TURNS } as AttemptEvent,
    { kind: 'session-handed-off', session: SESSION, note: 'n', quality: 'whole', totals: TWO_TURNS } as AttemptEvent,
    { ...roundStarted(2, { kind: 'fresh-session', why: 'full' }), session: fresh } as AttemptEvent,
    used('3', fresh),
  ).build()
  expect(story.spent).toEqual({
    usd: 1.5,
    turns: 3,
    tokens: { input: 30, cacheRead: 300, cacheWrite: 15, output: 21 },
  })
  expect(story.rounds.map(({ round, end, spent }) => [round, end, spent.turns])).toEqual([
    [1, 'context-exhausted', 2],
    [2, null, 1],
  ])
  expect(story.sessions.map(({ id, state, rounds, contextUsed }) => [id, state, rounds, contextUsed])).toEqual([
    [SESSION, 'handed-off', 1, 115],
    [fresh, 'active', 1, 115],
  ])
})

test('a session that handed off shows its note, or null when the text no longer exists', () => {
  const left = { kind: 'session-handed-off', session: SESSION, note: 'digest', quality: 'whole', totals: NO_TOTALS }
  const handed = () =>
    builderWith(...opened(), roundStarted(1), roundEnded(1, 'context-exhausted'), left as AttemptEvent)
  expect(handed().textsNeeded).toEqual(['digest'])
  expect(handed().build(new Map([['digest', '## Goal\nall of it']])).sessions[0]?.note).toBe('## Goal\nall of it')
  expect(handed().build().sessions[0]?.note).toBeNull()
})

test('takes the usage of a round from its end, and from single turns while it runs', () => {
  const totals = (turns: number, usd: number) => {
    return { usd, turns, tokens: { input: turns, cacheRead: 0, cacheWrite: 0, output: 0 }, usdByDay: {} }
  }
  const over = (round: number, turns: number, usd: number) => ({
    ...roundEnded(round, 'ok'),
    usd,
    totals: totals(turns, usd),
  })
  const counted = builderWith(
    ...opened(),
    roundStarted(1),
    used('1'),
    over(1, 4, 0.3) as AttemptEvent,
    roundStarted(2),
    over(2, 10, 0.9) as AttemptEvent,
    roundStarted(3),
  )
  expect(counted.turnsNeededAfter).toBe(opened().length + 6)
  counted.addAttemptEvent(used('1'), 0, opened().length + 2)
  counted.addAttemptEvent(used('now'), 0, 99)
  const { rounds, spent } = counted.build()
  expect(rounds.map((round) => [round.spent.turns, round.spent.usd])).toEqual([
    [4, 0.3],
    [6, 0.6],
    [1, 0.5],
  ])
  expect([spent.turns, spent.usd]).toEqual([11, 1.4])
})

test('has no sum when a price is missing', () => {
  expect(builderWith(...opened(), roundStarted(1), used('1'), used('2', SESSION, null)).build().spent.usd).toBeNull()
})

test('explains why a round may take more turns than the first', () => {
  const doubled = { ...roundStarted(2), turnsMax: 20 } as AttemptEvent
  const { rounds } = builderWith(...opened(), roundStarted(1), roundEnded(1, 'max-turns'), doubled).build()
  expect(rounds.map(({ turnsMax, turnsWhy }) => [turnsMax, turnsWhy])).toEqual([
    [10, 'simple'],
    [20, 'raised from 10, which were used up'],
  ])
})

test('separates verdicts of the workspace and of the merged tree', () => {
  const red = [finding('tests', 'red')]
  const merging = builderWith(...opened(), {
    kind: 'verdict-given',
    commit: 'c1' as Commit,
    passed: true,
    receipts: [],
    findings: [],
  })
  merging.addRunEvent(
    {
      kind: 'candidate-refused',
      landing: 't1-a1' as never,
      cause: 'conflict',
      line: 'l' as Commit,
      findings: red,
      receipts: [],
    },
    9000,
  )
  merging.addAttemptEvent({ kind: 'ready-to-land', commit: 'c1' as Commit, tree: 't' as Tree }, 9500, 99)
  expect(merging.build().verdicts.map(({ on, passed, findings }) => [on, passed, findings])).toEqual([
    ['workspace', true, []],
    ['merged', false, red],
  ])
})
