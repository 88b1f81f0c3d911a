import { durationText } from '../limits/duration-text.ts'
import { TESTER_TURNS_MAX } from '../limits/limits.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { SessionId } from '../model/ids.ts'
import type { Moment } from '../model/input.ts'
import { phaseOf } from '../phases/workflows.ts'
import { askToAct, retryHint } from './ask-person.ts'
import { closing } from './phase-flow.ts'
import { sessionFor } from './session-for.ts'
import { type AttemptState, specOf } from './state.ts'
import { steeringForRound } from './steering.ts'

/** Starts the next round of an attempt that is between rounds, within its limits. */
export function settleAttempt(state: AttemptState, moment: Moment): readonly AttemptEvent[] {
  if (state.doing.kind !== 'between') return []
  if (state.isPausing) return [{ kind: 'attempt-waiting', for: { kind: 'pause' }, reason: 'the run is paused' }]
  const { bounds, allowance, tasks, workflow } = specOf(state)
  const rounds = state.phaseRounds[state.phase] ?? 0
  const roundsMax = phaseOf(workflow, state.phase).rounds ?? workflow.rounds
  // Full windows and engine crashes have separate limits.
  if (rounds - (state.spared[state.phase] ?? 0) >= roundsMax) {
    return [closing('failed', 'rounds', `all ${roundsMax} rounds of ${state.phase} are used up`, state.findings)]
  }
  const leftMs = bounds.taskMs - state.activeMs
  if (leftMs <= 0) {
    const reason = `its time limit of ${durationText(bounds.taskMs)} is used up`
    return [closing('failed', 'time', reason, state.findings)]
  }
  if (allowance !== null && state.totals.usd >= allowance.usd) {
    const question = `the ${allowance.budget}'s budget is used up (${state.totals.usd.toFixed(2)} USD)`
    const hint = retryHint('Raise the budget in longhaul.yaml', tasks)
    return [{ kind: 'attempt-waiting', for: askToAct(question, hint), reason: question }]
  }
  const round = state.rounds + 1
  return [
    {
      kind: 'round-started',
      round,
      phase: state.phase,
      phaseRound: rounds + 1,
      session: sessionFor(state, state.doing.next) ?? (moment.uuid as SessionId),
      cause: state.doing.next,
      turnsMax: turnsMax(state),
      deadlineAt: moment.at + Math.min(bounds.responseMs, leftMs),
    },
    ...steeringForRound(state, round),
  ]
}

/** Returns the next deadline of the attempt after a time, or null when it has none. */
export function attemptWakesAt(state: AttemptState, after: number): number | null {
  return state.doing.kind === 'round' && state.doing.deadlineAt > after ? state.doing.deadlineAt : null
}

function turnsMax(state: AttemptState): number {
  const { bounds, workflow } = specOf(state)
  const retries = Math.min(state.turnRetries, bounds.turnRetries)
  const turns = Math.round(bounds.turnsMax * bounds.turnMultiplier ** retries)
  return phaseOf(workflow, state.phase).role === 'tester' ? Math.min(turns, TESTER_TURNS_MAX) : turns
}
