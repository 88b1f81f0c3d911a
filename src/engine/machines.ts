import { decideAttempt } from '../core/attempt/decide.ts'
import { attemptEffectsDue } from '../core/attempt/effects-due.ts'
import { evolveAttempt } from '../core/attempt/evolve.ts'
import { attemptWakesAt, settleAttempt } from '../core/attempt/settle.ts'
import { type AttemptState, newAttempt } from '../core/attempt/state.ts'
import type { AttemptEvent } from '../core/model/attempt-event.ts'
import type { AttemptEffect, RunEffect } from '../core/model/effect.ts'
import type { AttemptInput, RunInput } from '../core/model/input.ts'
import type { RunEvent } from '../core/model/run-event.ts'
import { decideRun } from '../core/run/decide.ts'
import { runEffectsDue } from '../core/run/effects-due.ts'
import { evolveRun } from '../core/run/evolve.ts'
import { runWakesAt, settleRun } from '../core/run/settle.ts'
import { newRun, type RunState } from '../core/run/state.ts'
import type { Machine } from './machine.ts'

/** The pure parts of both kinds of ledger. */
export interface Machines {
  readonly run: Machine<RunState, RunInput, RunEvent, RunEffect>
  readonly attempt: Machine<AttemptState, AttemptInput, AttemptEvent, AttemptEffect>
}

/** Decides what is worked on. */
const runMachine: Machine<RunState, RunInput, RunEvent, RunEffect> = {
  fresh: newRun,
  decide: decideRun,
  settle: settleRun,
  evolve: evolveRun,
  effectsDue: runEffectsDue,
  wakesAt: runWakesAt,
}

/** Decides how one try goes. */
const attemptMachine: Machine<AttemptState, AttemptInput, AttemptEvent, AttemptEffect> = {
  fresh: newAttempt,
  decide: decideAttempt,
  settle: settleAttempt,
  evolve: evolveAttempt,
  effectsDue: attemptEffectsDue,
  wakesAt: attemptWakesAt,
}

export const machines: Machines = { run: runMachine, attempt: attemptMachine }
