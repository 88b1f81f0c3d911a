import type { RoundOrder } from '../../core/model/effect.ts'

/** What every agent, and whatever it starts, can know of its order. */
export function orderVariables({ task, attempt, phase, round }: RoundOrder): Record<string, string> {
  return { LONGHAUL_TASK: task.id, LONGHAUL_ATTEMPT: attempt, LONGHAUL_PHASE: phase, LONGHAUL_ROUND: String(round) }
}
