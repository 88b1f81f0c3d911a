import { isMachineWide, type Problem } from '../../core/model/problem.ts'
import type { RunState } from '../../core/run/state.ts'
import type { EngineEnd } from '../../engine/run-engine.ts'

/** Exit codes that scripts rely on. */
export const EXIT = { done: 0, failed: 1, wrong: 2, waiting: 3, parked: 75, interrupted: 130 } as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Exit code for the way an engine ended; when several apply, in this order: 130, 2, 75, 3, 1. */
export function exitCodeOf(end: EngineEnd, state: Pick<RunState, 'counts'>): ExitCode {
  switch (end.kind) {
    case 'stopped':
      return EXIT.interrupted
    case 'halted':
      return haltedExitCode(end.problem)
    case 'settled':
      break
  }
  switch (end.condition.kind) {
    case 'empty':
      return EXIT.wrong
    case 'parked':
      return EXIT.parked
    case 'waiting':
    case 'paused':
      return EXIT.waiting
    case 'working':
    case 'ended':
      return endedExitCode(state)
  }
}

// A state that cannot be trusted is refused alike, by an engine that reads all of it at first or an attempt's part later.
function haltedExitCode(problem: Problem): ExitCode {
  if (problem.code === 'state-damaged') return EXIT.wrong
  return isMachineWide(problem) ? EXIT.waiting : EXIT.failed
}

/** Exit code of a run that has ended. */
export function endedExitCode({ counts }: Pick<RunState, 'counts'>): ExitCode {
  return counts.failed + counts.blocked > 0 ? EXIT.failed : EXIT.done
}
