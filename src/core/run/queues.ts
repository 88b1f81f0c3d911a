import type { Message } from '../model/attempt-event.ts'
import type { LandingSubject } from '../model/effect.ts'
import type { LandingId } from '../model/ids.ts'
import type { AttemptRecord, LandingRecord, RunState } from './state.ts'

/** Leaves a message that is due until the attempt's ledger shows it. */
export function sendMessage(state: RunState, record: AttemptRecord, name: string, message: Message): void {
  state.messages.set(`${record.attempt}:${name}`, { attempt: record.attempt, message })
}

/** The landing queue's entry for undoing a task. */
export function revertLandingId(task: string): LandingId {
  return `revert:${task}` as LandingId
}

/** The landing queue's entry for taking in the user's own commits. */
export const SYNC_LANDING = 'sync' as LandingId

/** Puts something at the end of the landing queue. */
export function enqueue(state: RunState, id: LandingId, subject: LandingSubject): void {
  state.landings.push({ id, subject, candidate: null, receipts: null, stale: 0 })
}

/** Takes an entry out of the landing queue. */
export function dequeue(state: RunState, id: LandingId): void {
  const index = state.landings.findIndex((landing) => landing.id === id)
  if (index >= 0) state.landings.splice(index, 1)
}

/** An entry of the landing queue. */
export function landingOf(state: RunState, id: LandingId): LandingRecord {
  const found = state.landings.find((landing) => landing.id === id)
  if (found === undefined) throw new Error(`${id} is not in the landing queue`)
  return found
}
