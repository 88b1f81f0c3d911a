import { expect, test } from 'vitest'
import { LIMITS } from '../../../test/given/given-run.ts'
import { type LoadedSettings, loadSettings } from '../../config/load.ts'
import { evolveAttempt } from '../attempt/evolve.ts'
import { newAttempt } from '../attempt/state.ts'
import type { ShownActivity } from '../model/activity.ts'
import type { AttemptSpec } from '../model/attempt.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { AttemptId, Commit, MilestoneId, RunId, SessionId, TaskId, Tree } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Settings } from '../model/settings.ts'
import type { Task } from '../model/task.ts'
import { NO_TOTALS } from '../model/usage.ts'
import type { Receipt } from '../model/verdict.ts'
import { evolveRun } from '../run/evolve.ts'
import { newRun } from '../run/state.ts'
import { type Status, statusOf } from './status.ts'

const at = Date.UTC(2026, 10, 15)
const [c0, c1] = ['0'.repeat(40) as Commit, '1'.repeat(40) as Commit]
const settings: Settings = {
  ...(loadSettings({ file: null, text: 'agent: { driver: scripted, script: x }\ngates: []' }) as LoadedSettings)
    .settings,
  budget: { taskUsd: null, runUsd: null, dayUsd: null },
}

test('no facts, no run', () => {
  expect(given([])).toMatchObject({ run: null, tasks: [], limits: [], totals: { usd: 0, turns: 0 } })
})

test('an imported run is open, and says what each task waits for', () => {
  const { run, tasks } = given([
    task('a'),
    task('b', ['a']),
    milestone('m1'),
    milestone('m2'),
    inMilestone('c', 'm1'),
    inMilestone('d', 'm2'),
  ])
  expect(run).toEqual({
    id: 'r1',
    state: 'open',
    startedAt: null,
    endedAt: null,
    target: 'main',
    targetBehind: false,
    sandbox: null,
  })
  expect(tasks.map(({ id, state, reason }) => [id, state, reason])).toEqual([
    ['a', 'ready', 'starts with the next "longhaul run"'],
    ['b', 'waiting', 'waiting for a'],
    ['c', 'ready', 'starts with the next "longhaul run"'],
    ['d', 'waiting', 'waiting for milestone m1'],
  ])
})

test('a running task shows its session, and its usage already counts', () => {
  const status = given([task('a'), ...engine, started('a')], {
    isDriven: true,
    attempts: { 'a-a1': [opened('a'), roundStarted, sessionOpened, used] },
    shown: [['a-a1' as AttemptId, shownActivity]],
  })
  expect(status.run?.state).toBe('running')
  expect(status.tasks[0]).toEqual({
    id: 'a',
    alreadyGreen: [],
    title: 'Task a',
    state: 'running',
    phase: 'implement',
    attempts: 1,
    reason: 'slot 1 of 3 (no dependencies)',
    branch: null,
    commit: null,
    proof: null,
    revert: null,
    spendUsd: 0.25,
    session: {
      id: 's1',
      driver: 'scripted',
      model: 'opus',
      activity: 'tool:Bash',
      contextUsed: 60,
      contextSize: 200,
      handOffs: 0,
      turns: 1,
      turnsMax: 9,
    },
  })
  expect(status.totals).toEqual({
    usd: 0.25,
    turns: 1,
    tokens: { input: 10, cacheRead: 20, cacheWrite: 30, output: 40 },
  })
})

test('a landed task names its commit and its proof, and no branch', () => {
  const receipts = [{ gate: 'tests', passed: true }] as unknown as readonly Receipt[]
  const attempt = 'a-a1' as AttemptId
  const { tasks } = given([
    task('a'),
    ...engine,
    started('a'),
    { kind: 'attempt-ready', attempt, seq: 9, commit: c1, tree: c1 as string as Tree },
    { kind: 'landed', attempt, tasks: ['a' as TaskId], commit: c1, receipts },
  ])
  expect(tasks[0]).toMatchObject({
    state: 'done',
    reason: null,
    branch: null,
    commit: c1,
    proof: 'gates: tests',
    session: null,
  })
})

test('a failed task names its branch, and blocked tasks name the failed one', () => {
  const { run, tasks } = given([
    task('a'),
    task('b', ['a']),
    task('c', ['b']),
    ...engine,
    started('a'),
    failed('a', c1),
    { kind: 'task-failed', task: 'a' as TaskId, reason: 'red\nand red' },
    { kind: 'run-ended', done: 0, failed: 3, reason: 'x' },
  ])
  expect(run).toMatchObject({ state: 'ended', endedAt: '2026-11-15T00:00:00.000Z' })
  expect(tasks.map(({ state, reason, branch }) => [state, reason, branch])).toEqual([
    ['failed', 'red and red', 'longhaul/a-a1'],
    ['blocked', 'blocked by a, which failed', null],
    ['blocked', 'blocked by a, which failed', null],
  ])
})

test('a usage limit parks the run until its reset', () => {
  const until = at + 60_000
  const events: readonly RunEvent[] = [
    task('a'),
    ...engine,
    started('a'),
    {
      kind: 'attempt-waiting',
      attempt: 'a-a1' as AttemptId,
      seq: 5,
      reason: 'usage limit: 429',
      for: { kind: 'limit', credential: 'scripted', until, estimated: false },
    },
    { kind: 'limit-hit', credential: 'scripted', until, estimated: false },
  ]
  const parked = given(events)
  expect(parked.run?.state).toBe('parked')
  expect(parked.limits).toEqual([{ what: 'scripted', until: '2026-11-15T00:01:00.000Z' }])
  expect(parked.tasks[0]).toMatchObject({ state: 'parked', reason: 'parked until 00:01: usage limit: 429' })
  expect(given(events, { at: until }).run?.state).toBe('open')
})

test('a run waits when it needs the user', () => {
  const held: RunEvent = { kind: 'task-held', task: 'a' as TaskId, reason: 'spent', hint: 'Raise it.' }
  expect(given([task('a'), ...engine, held])).toMatchObject({
    run: { state: 'waiting' },
    tasks: [{ state: 'needs-person', reason: 'spent. Raise it.' }],
  })
  expect(given([task('a'), task('b'), ...engine, held]).run?.state).toBe('open')
})

interface Given {
  readonly at?: number
  readonly isDriven?: boolean
  readonly attempts?: Readonly<Record<string, readonly AttemptEvent[]>>
  readonly shown?: readonly (readonly [AttemptId, ShownActivity])[]
}

function given(
  events: readonly RunEvent[],
  { at: now = at, isDriven = false, attempts = {}, shown = [] }: Given = {},
): Status {
  const run = newRun()
  if (events.length > 0) for (const event of [opening, adopted, ...events]) evolveRun(run, event, at)
  const folded = Object.entries(attempts).map(([id, facts]) => {
    const state = newAttempt()
    for (const fact of facts) evolveAttempt(state, fact, at)
    return [id as AttemptId, state] as const
  })
  return statusOf({
    run,
    attempts: new Map(folded),
    isDriven,
    targetBehind: false,
    at: now,
    activities: new Map(shown),
    formatTime: (time) => new Date(time).toISOString().slice(11, 16),
    branchOf: (attempt) => `longhaul/${attempt}`,
  })
}

const opening: RunEvent = {
  kind: 'run-opened',
  run: 'r1' as RunId,
  target: 'main',
  spentBefore: {},
  samplesBefore: {},
  knowledgeBefore: [],
  proposalsBefore: [],
}
const adopted: RunEvent = { kind: 'settings-adopted', values: settings, digest: 'd', changed: [], fixed: [] }
const engine: readonly RunEvent[] = [
  { kind: 'engine-started', pid: 1 },
  { kind: 'line-opened', line: c0, tree: 'tree' as Tree, target: c0 },
]

function wish(id: string, after: readonly string[], group: string | null): Task {
  return {
    id: id as TaskId,
    title: `Task ${id}`,
    brief: '',
    after: after as TaskId[],
    weight: 'small',
    type: null,
    milestone: group as MilestoneId | null,
    priority: 0,
    acceptance: [],
    verify: [],
    mayChange: [],
    files: [],
  }
}

function task(id: string, after: readonly string[] = []): RunEvent {
  return { kind: 'task-added', task: wish(id, after, null), attemptsBefore: 0 }
}

function inMilestone(id: string, group: string): RunEvent {
  return { kind: 'task-added', task: wish(id, [], group), attemptsBefore: 0 }
}

function milestone(id: string): RunEvent {
  return { kind: 'milestone-added', milestone: { id: id as MilestoneId, title: id, brief: '', after: null } }
}

function started(id: string): RunEvent {
  return {
    kind: 'attempt-started',
    attempt: `${id}-a1` as AttemptId,
    tasks: [id as TaskId],
    number: 1,
    base: c0,
    allowance: null,
    retryBrief: null,
    knowledge: '',
    limits: LIMITS,
    credential: 'scripted',
    reason: 'slot 1 of 3 (no dependencies)',
  }
}

function failed(id: string, commit: Commit): RunEvent {
  return {
    kind: 'attempt-ended',
    attempt: `${id}-a1` as AttemptId,
    seq: 9,
    outcome: 'failed',
    cause: 'checks',
    reason: 'red',
    phase: 'verify',
    note: null,
    commit,
    totals: NO_TOTALS,
    activeMs: 0,
    longest: null,
    findings: [],
  }
}

const shownActivity: ShownActivity = {
  attempt: 'a-a1' as AttemptId,
  round: 1,
  activity: { kind: 'tool', name: 'Bash' },
  since: at,
  heardAt: at,
  signs: 3,
  at,
}
const session = 's1' as SessionId
const sessionOpened: AttemptEvent = { kind: 'session-opened', session, driver: 'scripted', model: 'opus', cli: null }
const roundStarted: AttemptEvent = {
  kind: 'round-started',
  round: 1,
  phase: 'implement',
  phaseRound: 1,
  session,
  cause: { kind: 'brief' },
  turnsMax: 9,
  deadlineAt: at,
}
const used: AttemptEvent = {
  kind: 'usage-observed',
  usd: 0.25,
  day: '2026-11-15',
  usage: {
    session,
    message: 'm1',
    model: 'opus',
    scope: 'main' as const,
    hourCacheWrite: 0,
    window: 200,
    tokens: { input: 10, cacheRead: 20, cacheWrite: 30, output: 40 },
  },
}

function opened(id: string): AttemptEvent {
  const attempt = `${id}-a1` as AttemptId
  const spec = {
    attempt,
    base: c0,
    context: settings.context,
    tasks: [wish(id, [], null)],
    agent: settings.agent,
    workflow: settings.workflows.small,
  } as unknown as AttemptSpec
  return { kind: 'attempt-opened', spec }
}
