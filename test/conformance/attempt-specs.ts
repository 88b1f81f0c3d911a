import type { AttemptSpec } from '../../src/core/model/attempt.ts'
import type { AttemptId, Commit, RunId, TaskId } from '../../src/core/model/ids.ts'
import { PLAIN_AGENT, type WorkspaceSettings } from '../../src/core/model/settings.ts'
import { PLAIN_WORKFLOWS } from '../given/plain-workflows.ts'

const NO_HOOKS = { afterCreate: null, beforeRun: null, afterRun: null, beforeRemove: null }

/** Workspace settings that a test can override. */
export interface SpecOverrides {
  readonly setup?: readonly string[]
  readonly hooks?: Partial<WorkspaceSettings['hooks']>
  readonly protect?: readonly string[]
  readonly setupMs?: number
  readonly hookMs?: number
}

/** Creates an attempt's spec with the fields that workspaces read. */
export function attemptSpec(attempt: string, base: Commit, overrides: SpecOverrides = {}): AttemptSpec {
  const { setup = [], hooks = {}, protect = [], setupMs = 60_000, hookMs = 60_000 } = overrides
  const [, task = attempt, number = '1'] = /^(.+)-a(\d+)$/s.exec(attempt) ?? []
  return {
    attempt: attempt as AttemptId,
    run: 'run' as RunId,
    number: Number(number),
    tasks: [taskOf(task)],
    milestone: null,
    guard: { protect: [], settings: [], mayChange: [] },
    target: 'main',
    base,
    agent: { ...PLAIN_AGENT, driver: 'scripted' },
    context: { warn: 0.7, handOff: 0.8, critical: 0.95, cap: 250_000, policy: 'hand-off' },
    workflow: PLAIN_WORKFLOWS.small,
    agents: {},
    prompts: {},
    uiTests: false,
    breakpoints: [],
    gates: [
      {
        name: 'tests',
        run: 'true',
        onFail: 'block',
        timeoutMs: 1_000,
        protect,
        coverage: null,
        canary: { when: 'never', plant: null },
      },
    ],
    workspace: { setup, hooks: { ...NO_HOOKS, ...hooks } },
    bounds: { ...BOUNDS, setupMs, hookMs },
    allowance: null,
    prices: {},
    retryBrief: null,
    knowledge: '',
    before: [],
    judge: null,
  }
}

const BOUNDS = {
  turnsMax: 50,
  turnsWhy: 'simple',
  turnRetries: 1,
  turnMultiplier: 2,
  handOffsMax: 10,
  responseMs: 60_000,
  taskMs: 60_000,
  silenceMs: 60_000,
  errorDelayMs: 1_000,
  errorDelayMsMax: 1_000,
  limitDelayMs: 1_000,
  limitDelayMsMax: 1_000,
}

function taskOf(id: string): AttemptSpec['tasks'][number] {
  return {
    id: id as TaskId,
    title: `Title of ${id}`,
    brief: '',
    after: [],
    weight: 'small',
    type: null,
    milestone: null,
    priority: 0,
    acceptance: [],
    verify: [],
    mayChange: [],
    files: [],
  }
}
