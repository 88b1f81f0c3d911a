import { roundTimeLimit, turnLimit } from '../limits/round-limits.ts'
import { taskKind } from '../limits/samples.ts'
import type { AttemptLimits } from '../model/attempt.ts'
import { type RunState, settingsOf, type TaskRecord } from './state.ts'

/** Returns the limits of a task's next attempt, with reasons. */
export function attemptLimits(state: RunState, { task, activeMs }: TaskRecord): AttemptLimits {
  const { turns: settings, time } = settingsOf(state)
  const samples = state.samples[taskKind(task)] ?? []
  const { turns, why: turnsWhy } = turnLimit(task, settings, samples)
  const { ms: roundMs, why: roundWhy } = roundTimeLimit(time.responseMs, samples)
  return { turns, turnsWhy, roundMs, roundWhy, taskMs: Math.max(0, time.taskMs - activeMs) }
}
