import type { Allowance } from '../model/attempt.ts'
import { dayOf } from '../model/usage.ts'
import { type RunState, settingsOf, spentOn, type TaskRecord } from './state.ts'

/** Allowance of a new attempt, or the reason why it cannot start now. */
export type Grant =
  | { readonly kind: 'granted'; readonly allowance: Allowance | null }
  /** Live attempts have reserved the rest; some of it may become free again. */
  | { readonly kind: 'reserved'; readonly reason: string }
  | { readonly kind: 'spent'; readonly budget: Allowance['budget']; readonly reason: string }

/** Reserves money for a whole attempt, so that all attempts together stay within every budget. */
export function allowanceFor(state: RunState, record: TaskRecord, at: number): Grant {
  const left = budgetsLeft(state, record, at)
  const smallest = left.reduce<Left | null>((min, one) => (min === null || one.usd < min.usd ? one : min), null)
  if (smallest === null) return { kind: 'granted', allowance: null }
  const holders = smallest.budget === 'task' ? 0 : state.attempts.size
  const taskLeft = left.find((one) => one.budget === 'task')?.usd ?? Number.POSITIVE_INFINITY
  if (holders > 0 && (smallest.usd <= 0 || smallest.usd < taskLeft)) {
    return {
      kind: 'reserved',
      reason: `the rest of the ${smallest.budget} budget is reserved by ${holders} live ${holders === 1 ? 'attempt' : 'attempts'}`,
    }
  }
  if (smallest.usd <= 0) {
    return { kind: 'spent', budget: smallest.budget, reason: spentText(smallest.budget, smallest.limit) }
  }
  return { kind: 'granted', allowance: { usd: smallest.usd, budget: smallest.budget } }
}

/** Names the spent budget of the run or the day, or returns null. */
export function budgetSpent(state: RunState, at: number): string | null {
  const { runUsd, dayUsd } = settingsOf(state).budget
  if (runUsd !== null && state.totals.usd >= runUsd) return spentText('run', runUsd)
  return dayUsd !== null && spentOn(state, dayOf(at)) >= dayUsd ? spentText('day', dayUsd) : null
}

function spentText(budget: Allowance['budget'], limitUsd: number): string {
  return `the ${budget} budget of ${limitUsd.toFixed(2)} USD is spent`
}

interface Left {
  readonly budget: Allowance['budget']
  readonly limit: number
  readonly usd: number
}

function budgetsLeft(state: RunState, record: TaskRecord, at: number): readonly Left[] {
  const { taskUsd, runUsd, dayUsd } = settingsOf(state).budget
  const reserved = [...state.attempts.values()].reduce((sum, attempt) => sum + (attempt.allowance?.usd ?? 0), 0)
  const spentToday = spentOn(state, dayOf(at))
  const left: Left[] = []
  if (taskUsd !== null) left.push({ budget: 'task', limit: taskUsd, usd: taskUsd - record.totals.usd })
  if (runUsd !== null) left.push({ budget: 'run', limit: runUsd, usd: runUsd - state.totals.usd - reserved })
  if (dayUsd !== null) left.push({ budget: 'day', limit: dayUsd, usd: dayUsd - spentToday - reserved })
  return left
}
