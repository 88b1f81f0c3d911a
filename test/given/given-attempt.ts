import { decideAttempt } from '../../src/core/attempt/decide.ts'
import { evolveAttempt } from '../../src/core/attempt/evolve.ts'
import { settleAttempt } from '../../src/core/attempt/settle.ts'
import { type AttemptState, newAttempt } from '../../src/core/attempt/state.ts'
import type { AttemptSpec } from '../../src/core/model/attempt.ts'
import type { AttemptEvent, RoundCause } from '../../src/core/model/attempt-event.ts'
import type { AttemptId, Commit, RunId, SessionId, Tree } from '../../src/core/model/ids.ts'
import type { AttemptInput, AttemptReport, Moment } from '../../src/core/model/input.ts'
import type { RoundEnd, RoundEndKind } from '../../src/core/model/round.ts'
import { type JudgeSettings, PLAIN_AGENT } from '../../src/core/model/settings.ts'
import { NO_TOTALS } from '../../src/core/model/usage.ts'
import { givenTask } from './given-run.ts'
import { PLAIN_WORKFLOWS } from './plain-workflows.ts'

export const NOW: Moment = { at: 1_000_000, uuid: '80000000-0000-4000-8000-000000000000' }
export const BASE = 'base' as Commit
export const SESSION = 'session-1' as SessionId

/** Returns a spec with one gate and these changes. */
export function spec(changes: Partial<AttemptSpec> = {}): AttemptSpec {
  return {
    attempt: 't1-a1' as AttemptId,
    run: 'r1' as RunId,
    number: 1,
    tasks: [givenTask('t1')],
    milestone: null,
    guard: { protect: [], settings: ['longhaul.yaml'], mayChange: [] },
    target: 'main',
    base: BASE,
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
        run: 'npm test',
        onFail: 'block',
        timeoutMs: 1000,
        protect: [],
        coverage: null,
        canary: { when: 'never', plant: null },
      },
    ],
    workspace: { setup: [], hooks: { afterCreate: null, beforeRun: null, afterRun: null, beforeRemove: null } },
    bounds: {
      turnsMax: 10,
      turnsWhy: 'simple',
      turnRetries: 1,
      turnMultiplier: 2,
      handOffsMax: 2,
      responseMs: 60_000,
      taskMs: 600_000,
      silenceMs: 60_000,
      setupMs: 1000,
      hookMs: 1000,
      errorDelayMs: 30_000,
      errorDelayMsMax: 300_000,
      limitDelayMs: 15_000,
      limitDelayMsMax: 3_600_000,
    },
    allowance: null,
    prices: {},
    retryBrief: null,
    knowledge: '',
    before: [],
    judge: null,
    ...changes,
  }
}

/** Folds facts to a state. */
export function given(...events: readonly AttemptEvent[]): AttemptState {
  const state = newAttempt()
  for (const event of events) evolveAttempt(state, event, NOW.at)
  return state
}

/** Returns the facts of an attempt whose workspace is ready. */
export function opened(changes: Partial<AttemptSpec> = {}): readonly AttemptEvent[] {
  return [
    { kind: 'attempt-opened', spec: spec(changes) },
    { kind: 'workspace-made', commit: BASE },
    { kind: 'phase-entered', phase: 'implement', why: 'the workspace is ready' },
  ]
}

export function roundStarted(round: number, cause: RoundCause = { kind: 'brief' }): AttemptEvent {
  return {
    kind: 'round-started',
    round,
    phase: 'implement',
    phaseRound: round,
    session: SESSION,
    cause,
    turnsMax: 10,
    deadlineAt: NOW.at + 60_000,
  }
}

export function roundEnded(round: number, kind: RoundEndKind, more: Partial<RoundEnd> = {}): AttemptEvent {
  return { kind: 'round-ended', round, end: end(kind, more), activeMs: 0, usd: 0, totals: NO_TOTALS }
}

export function end(kind: RoundEndKind, more: Partial<RoundEnd> = {}): RoundEnd {
  return { kind, detail: `it was ${kind}`, claim: null, resetAt: null, note: null, ...more }
}

export function checkpointed(n: number, changed = 1) {
  return { commit: `c${n}` as Commit, tree: `tree${n}` as Tree, changed, nested: [], history: null }
}

/** Decides on an input. */
export function when(state: AttemptState, input: AttemptInput, moment: Moment = NOW): readonly AttemptEvent[] {
  const decision = decideAttempt(state, input, moment)
  if (decision.kind === 'refused') throw new Error('an attempt refuses nothing')
  return decision.events
}

/** Decides on the report of an effect. */
export function reported(state: AttemptState, effect: string, report: AttemptReport): readonly AttemptEvent[] {
  return when(state, { kind: 'report', effect, report })
}

/** Settles the attempt. */
export function settled(state: AttemptState): readonly AttemptEvent[] {
  return settleAttempt(state, NOW)
}

/** Judge for summaries; tests switch opinions on. */
export const JUDGE: JudgeSettings = {
  driver: 'ollama',
  model: 'small',
  url: 'http://127.0.0.1:9',
  key: null,
  timeoutMs: 30_000,
  opinions: false,
  quality: 0.7,
}
