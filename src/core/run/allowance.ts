import type { Allowance } from '../model/attempt.ts'
import { dayOf } from '../model/usage.ts'
import { type RunState, settingsOf, spentOn, type TaskRecord } from './state.ts'

/** What a new attempt of a task may spend, or why it may not start now. */
export type Grant =
  | { readonly kind: 'granted'; readonly allowance: Allowance | null }
  /** Others hold what is left; some of it may come back. */
  | { readonly kind: 'reserved'; readonly reason: string }
  | { readonly kind: 'spent'; readonly budget: Allowance['budget']; readonly reason: string }

/** Reserves money for a whole attempt, so that all attempts together stay within every budget. */
export function allowanceFor(state: RunState, record: TaskRecord, at: number): Grant {
  const left = budgetsLeft(state, record, at)
  const smallest = left.reduce<Left | null>((min, one) => (min === null || one.usd < min.usd ? one : min), null)
  if (smallest === null) return { kind: 'granted', allowance: null }
  const holders = smallest.budget === 'task' ? 0 : state.attempts.size
  const wish = left.find((one) => one.budget === 'task')?.usd ?? Number.POSITIVE_INFINITY
  if (holders > 0 && (smallest.usd <= 0 || smallest.usd < wish)) {
    return {
      kind: 'reserved',
      reason: `what is left of the ${smallest.budget}'s budget is reserved by ${holders} attempts`,
    }
  }
  if (smallest.usd <= 0) {
    return { kind: 'spent', budget: smallest.budget, reason: spentText(smallest.budget, smallest.limit) }
  }
  return { kind: 'granted', allowance: { usd: smallest.usd, budget: smallest.budget } }
}

/** Which budget of the run or the day is spent, in words; null: none is. */
export function budgetSpent(state: RunState, at: number): string | null {
  const { runUsd, dayUsd } = settingsOf(state).budget
  if (runUsd !== null && state.totals.usd >= runUsd) return spentText('run', runUsd)
  return dayUsd !== null && spentOn(state, dayOf(at)) >= dayUsd ? spentText('day', dayUsd) : null
}

function spentText(budget: Allowance['budget'], limitUsd: number): string {
  return `the ${budget}'s budget of ${limitUsd.toFixed(2)} USD is spent`
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
