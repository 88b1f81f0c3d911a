import type { AttemptId, LandingId, TaskId } from '../../../core/model/ids.ts'
import { attemptLedger } from '../../../core/model/ids.ts'
import type { AnnouncedEvent } from './announcing-store.ts'

/** Tells which facts concern a task: its own, its attempts' and its landings'. */
export function taskFilter(task: string): (heard: AnnouncedEvent) => boolean {
  const isAttempt = (name: string) => name.startsWith(`${task}-a`) && /^\d+$/.test(name.slice(task.length + 2))
  const isOfAttempt = attemptFilter(isAttempt)
  return (heard) => {
    if (isOfAttempt(heard)) return true
    if (heard.ledger.startsWith(ATTEMPTS)) return false
    const named = heard.event as Named
    if (named.task === task || (named.task as { id?: string } | undefined)?.id === task) return true
    return named.tasks?.includes(task as TaskId) === true || named.landing === `revert:${task}`
  }
}

/** Tells which facts concern an attempt: its own, and the run's about it and its landing. */
export function attemptFilter(isWanted: (attempt: string) => boolean): (heard: AnnouncedEvent) => boolean {
  return ({ ledger, event }) => {
    if (ledger.startsWith(ATTEMPTS)) return isWanted(ledger.slice(ATTEMPTS.length))
    const { attempt, landing } = event as Named
    return (attempt !== undefined && isWanted(attempt)) || (landing !== undefined && isWanted(landing))
  }
}

const ATTEMPTS = attemptLedger('' as AttemptId)

/** The ways in which a run's facts name what they are about. */
interface Named {
  readonly task?: TaskId | { readonly id: TaskId }
  readonly tasks?: readonly TaskId[]
  readonly attempt?: AttemptId
  readonly landing?: LandingId
}
