import type { AttemptId, LandingId, TaskId } from '../../../core/model/ids.ts'
import { attemptLedger } from '../../../core/model/ids.ts'
import type { AnnouncedEvent } from './announcing-store.ts'

/** Filters the events of a task: its own, and those of its attempts and landings. */
export function taskFilter(task: string): (event: AnnouncedEvent) => boolean {
  const isAttempt = (name: string) => name.startsWith(`${task}-a`) && /^\d+$/.test(name.slice(task.length + 2))
  const isOfAttempt = attemptFilter(isAttempt)
  return (announced) => {
    if (isOfAttempt(announced)) return true
    if (announced.ledger.startsWith(ATTEMPTS)) return false
    const named = announced.event as Named
    if (named.task === task || (named.task as { id?: string } | undefined)?.id === task) return true
    return named.tasks?.includes(task as TaskId) === true || named.landing === `revert:${task}`
  }
}

/** Filters the events of attempts: their own, and the run's about them and their landings. */
export function attemptFilter(isWanted: (attempt: string) => boolean): (event: AnnouncedEvent) => boolean {
  return ({ ledger, event }) => {
    if (ledger.startsWith(ATTEMPTS)) return isWanted(ledger.slice(ATTEMPTS.length))
    const { attempt, landing } = event as Named
    return (attempt !== undefined && isWanted(attempt)) || (landing !== undefined && isWanted(landing))
  }
}

const ATTEMPTS = attemptLedger('' as AttemptId)

/** Fields in which a run's events name their subject. */
interface Named {
  readonly task?: TaskId | { readonly id: TaskId }
  readonly tasks?: readonly TaskId[]
  readonly attempt?: AttemptId
  readonly landing?: LandingId
}
