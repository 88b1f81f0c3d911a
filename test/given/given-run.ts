import type { AttemptLimits } from '../../src/core/model/attempt.ts'
import type { AttemptEvent } from '../../src/core/model/attempt-event.ts'
import type { AttemptId, Commit, RequestId, RunId, TaskId, Tree } from '../../src/core/model/ids.ts'
import type { Decision, Request, RunInput } from '../../src/core/model/input.ts'
import type { RunEvent } from '../../src/core/model/run-event.ts'
import { PLAIN_AGENT, PLAIN_SANDBOX, type Settings } from '../../src/core/model/settings.ts'
import type { Task } from '../../src/core/model/task.ts'
import { NO_TOTALS } from '../../src/core/model/usage.ts'
import { decideRun } from '../../src/core/run/decide.ts'
import { evolveRun } from '../../src/core/run/evolve.ts'
import { settleRun } from '../../src/core/run/settle.ts'
import { newRun, type RunState } from '../../src/core/run/state.ts'
import { PLAIN_WORKFLOWS } from './plain-workflows.ts'

export const AT = 1_000_000
const MOMENT = { at: AT, uuid: '80000000-0000-4000-8000-000000000000' }
export const LINE = 'line0' as Commit
/** Limits of an attempt. */
export const LIMITS: AttemptLimits = {
  turns: 50,
  turnsWhy: 'simple',
  roundMs: 7_200_000,
  roundWhy: 'time.response',
  taskMs: 21_600_000,
}

export function givenTask(id: string, after: readonly string[] = [], more: Partial<Task> = {}): Task {
  return {
    id: id as TaskId,
    title: `Task ${id}`,
    brief: `Do ${id}.`,
    after: after as readonly TaskId[],
    weight: 'small',
    type: null,
    milestone: null,
    priority: 0,
    acceptance: [],
    verify: [],
    mayChange: [],
    files: [],
    ...more,
  }
}

/** Returns settings with no checks, no budgets and three parallel attempts. */
export function givenSettings(changes: Partial<Settings> = {}): Settings {
  return {
    sources: ['longhaul.yaml'],
    target: null,
    agent: { ...PLAIN_AGENT, driver: 'scripted' },
    roles: {},
    context: { warn: 0.7, handOff: 0.8, critical: 0.95, cap: 250_000, policy: 'hand-off' },
    turns: { preset: 'default', min: 15, max: 150, retries: 1, multiplier: 2 },
    time: { responseMs: 7_200_000, taskMs: 21_600_000, setupMs: 900_000, hookMs: 60_000, silenceMs: 600_000 },
    budget: { taskUsd: null, runUsd: null, dayUsd: null },
    limits: {
      parallel: 3,
      coding: 5,
      total: 10,
      attempts: 3,
      handOffs: 10,
      errorDelayMs: 30_000,
      errorDelayMsMax: 300_000,
      limitDelayMs: 15_000,
      limitDelayMsMax: 3_600_000,
    },
    gates: [],
    workspace: { setup: [], hooks: { afterCreate: null, beforeRun: null, afterRun: null, beforeRemove: null } },
    landing: { mode: 'merge' },
    sandbox: PLAIN_SANDBOX,
    judge: null,
    prices: {},
    prompts: {},
    uiTests: false,
    breakpoints: [],
    workflows: PLAIN_WORKFLOWS,
    ...changes,
  }
}

/** Returns the facts of a run with these tasks and an open line. */
export function openedRun(tasks: readonly Task[], settings: Partial<Settings> = {}): readonly RunEvent[] {
  return [
    {
      kind: 'run-opened',
      run: 'r1' as RunId,
      target: 'main',
      spentBefore: {},
      samplesBefore: {},
      knowledgeBefore: [],
      proposalsBefore: [],
    },
    { kind: 'settings-adopted', values: givenSettings(settings), digest: 'd1', changed: [], fixed: [] },
    ...tasks.map((task): RunEvent => ({ kind: 'task-added', task, attemptsBefore: 0 })),
    { kind: 'line-opened', line: LINE, tree: 'tree0' as Tree, target: LINE },
  ]
}

/** Folds facts to a state. */
export function givenRun(...events: readonly RunEvent[]): RunState {
  const state = newRun()
  for (const event of events) evolveRun(state, event, AT)
  return state
}

export function started(task: string, number = 1): RunEvent {
  const attempt = `${task}-a${number}` as AttemptId
  const more = {
    allowance: null,
    retryBrief: null,
    knowledge: '',
    limits: LIMITS,
    credential: 'scripted',
    reason: 'slot 1 of 3 (no dependencies)',
  }
  return { kind: 'attempt-started', attempt, tasks: [task as TaskId], number, base: LINE, ...more }
}

export function ready(task: string, seq = 5): RunEvent {
  const attempt = `${task}-a1` as AttemptId
  return { kind: 'attempt-ready', attempt, seq, commit: `work-${task}` as Commit, tree: 'tree' as Tree }
}

/** Returns the facts of a task from its start to its landing and clean-up. */
export function landed(task: string): readonly RunEvent[] {
  const attempt = `${task}-a1` as AttemptId
  const commit = `landed-${task}` as Commit
  return [
    started(task),
    ready(task),
    {
      kind: 'candidate-prepared',
      landing: attempt as never,
      line: LINE,
      base: LINE,
      commit,
      tree: 'tree' as Tree,
      target: LINE,
    },
    { kind: 'candidate-checked', landing: attempt as never, commit, receipts: [] },
    { kind: 'landed', attempt, tasks: [task as TaskId], commit, receipts: [] },
    { kind: 'target-followed', commit },
    { kind: 'attempt-notified', attempt, seq: 6, id: `${attempt}:landed` },
    ended(task, { seq: 9, outcome: 'landed', cause: 'landed' }),
  ]
}

export function ended(task: string, more: Partial<Extract<RunEvent, { kind: 'attempt-ended' }>> = {}): RunEvent {
  return {
    kind: 'attempt-ended',
    attempt: `${task}-a1` as AttemptId,
    seq: 9,
    outcome: 'failed',
    cause: 'checks',
    reason: 'the tests are red',
    phase: 'verify',
    note: null,
    commit: 'work' as Commit,
    totals: NO_TOTALS,
    activeMs: 0,
    longest: null,
    findings: [],
    ...more,
  }
}

/** Decides on an input. */
export function decided(state: RunState, input: RunInput): Decision<RunEvent> {
  return decideRun(state, input, MOMENT)
}

export function requested(state: RunState, request: Request): Decision<RunEvent> {
  return decided(state, { kind: 'request', id: 'q1' as RequestId, request })
}

export function attemptEvent(state: RunState, attempt: string, seq: number, event: AttemptEvent): Decision<RunEvent> {
  return decided(state, { kind: 'attempt-event', attempt: attempt as AttemptId, seq, event })
}

/** Settles the run until nothing follows, and applies the facts to its state. */
export function settledRun(state: RunState, at: number = AT): readonly RunEvent[] {
  const events: RunEvent[] = []
  for (let next = settleRun(state, { ...MOMENT, at }); next.length > 0; next = settleRun(state, { ...MOMENT, at })) {
    for (const event of next) evolveRun(state, event, at)
    events.push(...next)
  }
  return events
}
