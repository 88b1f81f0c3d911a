import { decideAttempt } from '../core/attempt/decide.ts'
import { attemptEffectsDue } from '../core/attempt/effects-due.ts'
import { evolveAttempt } from '../core/attempt/evolve.ts'
import { attemptWakesAt, settleAttempt } from '../core/attempt/settle.ts'
import { type AttemptState, newAttempt } from '../core/attempt/state.ts'
import type { AttemptEvent } from '../core/model/attempt-event.ts'
import type { AttemptEffect, EffectBase, RunEffect } from '../core/model/effect.ts'
import type { AttemptInput, Decision, Moment, RunInput } from '../core/model/input.ts'
import type { RunEvent } from '../core/model/run-event.ts'
import { decideRun } from '../core/run/decide.ts'
import { runEffectsDue } from '../core/run/effects-due.ts'
import { evolveRun } from '../core/run/evolve.ts'
import { runWakesAt, settleRun } from '../core/run/settle.ts'
import { newRun, type RunState } from '../core/run/state.ts'

/** Pure functions that drive one kind of ledger. */
export interface StateMachine<State, Input, Event, Effect extends EffectBase> {
  initialState(): State
  decide(state: State, input: Input, moment: Moment): Decision<Event>
  /** Returns events that follow without further input; called until there are none. */
  settle(state: State, moment: Moment): readonly Event[]
  evolve(state: State, event: Event, at: number): void
  effectsDue(state: State, at: number): readonly Effect[]
  /** Returns the next time at which the clock alone changes something, or null. */
  wakesAt(state: State, after: number): number | null
}

export interface StateMachines {
  readonly run: StateMachine<RunState, RunInput, RunEvent, RunEffect>
  readonly attempt: StateMachine<AttemptState, AttemptInput, AttemptEvent, AttemptEffect>
}

/** State machines of both ledgers: `run` picks the work, `attempt` carries out one try at a task. */
export const stateMachines: StateMachines = {
  run: {
    initialState: newRun,
    decide: decideRun,
    settle: settleRun,
    evolve: evolveRun,
    effectsDue: runEffectsDue,
    wakesAt: runWakesAt,
  },
  attempt: {
    initialState: newAttempt,
    decide: decideAttempt,
    settle: settleAttempt,
    evolve: evolveAttempt,
    effectsDue: attemptEffectsDue,
    wakesAt: attemptWakesAt,
  },
}
