import { attemptOf, type RunState, settingsOf } from './state.ts'

/** Returns the maximum number of attempts that may work in parallel. */
export function slotsMax(state: RunState): number {
  const { parallel, coding, total } = settingsOf(state).limits
  return Math.min(parallel, coding, total)
}

/** Counts the attempts that hold a slot. */
export function slotsUsed(state: RunState): number {
  let used = 0
  for (const attempt of state.working) if (attemptOf(state, attempt).holdsSlot) used += 1
  return used
}
