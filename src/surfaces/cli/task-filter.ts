import type { AttemptId, LandingId, TaskId } from '../../core/model/ids.ts'
import { attemptLedger } from '../../core/model/ids.ts'
import type { Heard } from './telling-store.ts'

/** Tells which facts concern a task: its own, its attempts' and its landings'. */
export function taskFilter(task: string): (heard: Heard) => boolean {
  const isAttempt = (name: string) => name.startsWith(`${task}-a`) && /^\d+$/.test(name.slice(task.length + 2))
  const start = attemptLedger('' as AttemptId)
  return ({ ledger, event }) => {
    if (ledger.startsWith(start)) return isAttempt(ledger.slice(start.length))
    const named = event as Named
    if (named.task === task || (named.task as { id?: string } | undefined)?.id === task) return true
    if (named.tasks?.includes(task as TaskId)) return true
    if (named.attempt !== undefined && isAttempt(named.attempt)) return true
    return named.landing !== undefined && (isAttempt(named.landing) || named.landing === `revert:${task}`)
  }
}

/** The ways in which a run's facts name what they are about. */
interface Named {
  readonly task?: TaskId | { readonly id: TaskId }
  readonly tasks?: readonly TaskId[]
  readonly attempt?: AttemptId
  readonly landing?: LandingId
}
