import { accepted, type Decision, type Moment, type RunInput } from '../model/input.ts'
import type { RunEvent } from '../model/run-event.ts'
import { decideAttemptEvent } from './decide-attempt-event.ts'
import { decideRunReport } from './decide-report.ts'
import { decideRequest } from './decide-request.ts'
import { runEffectsDue } from './effects-due.ts'
import type { RunState } from './state.ts'

/** Turns an input into new facts of a run, or refuses it. */
export function decideRun(state: RunState, input: RunInput, moment: Moment): Decision<RunEvent> {
  switch (input.kind) {
    case 'engine-started':
      return accepted([input])
    case 'request':
      return decideRequest(state, input.request)
    case 'report': {
      const effect = runEffectsDue(state, moment.at).find((due) => due.id === input.effect)
      return accepted(effect === undefined ? [] : decideRunReport(state, effect, input.report, moment.at))
    }
    case 'attempt-event':
      return accepted(decideAttemptEvent(state, input.attempt, input.seq, input.event))
    case 'tick':
      return accepted([])
  }
}
