import type { RunEvent } from '../model/run-event.ts'

/** Identifies a budget warning; a raised budget warns again. */
export function budgetKey({ budget, task, share, limitUsd }: Extract<RunEvent, { kind: 'budget-crossed' }>): string {
  return [budget, task ?? '', share, limitUsd].join(' ')
}
