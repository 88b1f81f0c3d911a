import type { Message } from '../model/attempt-event.ts'
import type { LandingSubject } from '../model/effect.ts'
import type { LandingId } from '../model/ids.ts'
import type { AttemptRecord, LandingRecord, RunState } from './state.ts'

/** Queues a message; it stays due until the attempt's ledger shows it. */
export function sendMessage(state: RunState, record: AttemptRecord, name: string, message: Message): void {
  state.messages.set(`${record.attempt}:${name}`, { attempt: record.attempt, message })
}

/** Returns the landing queue's id for the revert of a task. */
export function revertLandingId(task: string): LandingId {
  return `${REVERT}${task}` as LandingId
}

/** Returns the name of a landing for people: an attempt, the task that it reverts, or the sync. */
export function landingName(landing: LandingId): string {
  return landing.startsWith(REVERT) ? landing.slice(REVERT.length) : landing
}

const REVERT = 'revert:'

/** Landing queue's id for the merge with the user's new commits. */
export const SYNC_LANDING = 'sync' as LandingId

/** Appends an entry to the landing queue. */
export function enqueue(state: RunState, id: LandingId, subject: LandingSubject): void {
  state.landings.push({ id, subject, candidate: null, receipts: null, stale: 0 })
}

/** Removes an entry from the landing queue. */
export function dequeue(state: RunState, id: LandingId): void {
  const index = state.landings.findIndex((landing) => landing.id === id)
  if (index >= 0) state.landings.splice(index, 1)
}

/** Returns an entry of the landing queue. */
export function landingOf(state: RunState, id: LandingId): LandingRecord {
  const landing = state.landings.find((entry) => entry.id === id)
  if (landing === undefined) throw new Error(`${id} is not in the landing queue`)
  return landing
}
