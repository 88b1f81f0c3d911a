import type { RunEvent } from '../model/run-event.ts'

/** What tells one crossing of a budget from another; a raised budget is crossed anew. */
export function budgetKey({ budget, task, share, limitUsd }: Extract<RunEvent, { kind: 'budget-crossed' }>): string {
  return [budget, task ?? '', share, limitUsd].join(' ')
}
