import type { AttemptState } from '../../../src/core/attempt/state.ts'
import type { EffectBase } from '../../../src/core/model/effect.ts'
import type { AttemptId } from '../../../src/core/model/ids.ts'
import type { AttemptInput, RunInput } from '../../../src/core/model/input.ts'
import type { RunState } from '../../../src/core/run/state.ts'
import type { StateMachine, StateMachines } from '../../../src/engine/state-machines.ts'
import type { Random } from './random.ts'
import type { Trace } from './trace.ts'

/** States in one engine's memory. */
export interface LiveStates {
  run: RunState | null
  readonly attempts: Map<AttemptId, AttemptState>
}

/** Wraps the pure machines: captures live states and injects stale and duplicate reports. */
export function watchedMachines(pure: StateMachines, live: LiveStates, random: Random, trace: Trace): StateMachines {
  return {
    run: {
      ...withStaleReports(pure.run, isRunReport, random, trace),
      evolve: (state, event, at) => {
        live.run = state
        pure.run.evolve(state, event, at)
      },
    },
    attempt: {
      ...withStaleReports(pure.attempt, isAttemptReport, random, trace),
      evolve: (state, event, at) => {
        if (event.kind === 'attempt-opened') live.attempts.set(event.spec.attempt, state)
        pure.attempt.evolve(state, event, at)
      },
    },
  }
}

type RunReportInput = Extract<RunInput, { kind: 'report' }>
type AttemptReportInput = Extract<AttemptInput, { kind: 'report' }>

function isRunReport(input: RunInput): input is RunReportInput {
  return input.kind === 'report'
}

function isAttemptReport(input: AttemptInput): input is AttemptReportInput {
  return input.kind === 'report'
}

function withStaleReports<State, Input, Event extends { readonly kind: string }, Effect extends EffectBase>(
  machine: StateMachine<State, Input, Event, Effect>,
  isReport: (input: Input) => input is Input & { readonly effect: string },
  random: Random,
  trace: Trace,
): StateMachine<State, Input, Event, Effect> {
  const past: (Input & { readonly effect: string })[] = []
  return {
    ...machine,
    decide: (state, input, moment) => {
      if (isReport(input)) past.push(input)
      if (past.length > 0 && random.chance(0.3)) {
        const stale = random.pick(past)
        const isDue = machine.effectsDue(state, moment.at).some((effect) => effect.id === stale.effect)
        if (!isDue) trace.stale.push({ effect: stale.effect, outcome: outcomeOf(machine, state, stale, moment) })
      }
      return machine.decide(state, input, moment)
    },
  }
}

function outcomeOf<State, Input, Event extends { readonly kind: string }, Effect extends EffectBase>(
  machine: StateMachine<State, Input, Event, Effect>,
  state: State,
  input: Input,
  moment: Parameters<typeof machine.decide>[2],
): string {
  try {
    const decision = machine.decide(state, input, moment)
    return decision.kind === 'refused' ? 'refused' : decision.events.map((event) => event.kind).join(', ')
  } catch (error) {
    return `threw ${String(error)}`
  }
}
