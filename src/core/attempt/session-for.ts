import { occupancy } from '../context/occupancy.ts'
import type { SessionRecord } from '../context/session.ts'
import type { RoundCause } from '../model/attempt-event.ts'
import type { SessionId } from '../model/ids.ts'
import { isReader } from '../phases/roles.ts'
import { phaseOf } from '../phases/workflows.ts'
import { type AttemptState, specOf } from './state.ts'

/** Returns the session that the next round continues, or null for a fresh one. */
export function sessionFor(state: AttemptState, cause: RoundCause): SessionId | null {
  if (cause.kind === 'fresh-session') return null
  const key = keyOf(state, state.phase)
  const last = state.sessions.findLast((session) => keyOf(state, session.phase) === key)
  if (last === undefined || last.standing !== 'active') return null
  return isNewMaterial(cause) && !hasRoom(state, last) ? null : last.id
}

/** True when a round brings new material, for which a session may be too full or too old. */
function isNewMaterial(cause: RoundCause): boolean {
  return cause.kind === 'findings' || cause.kind === 'brief'
}

/** True while a session has room, so that returned work is fixed where it was done. */
function hasRoom(state: AttemptState, { used, window }: SessionRecord): boolean {
  const { workflow, context } = specOf(state)
  if (workflow.session === 'prompt') return false
  const held = occupancy(used, window, context)
  return held === null || held.share < context.warn
}

/** Phases with the same key share a session; readers get a separate one, for a fresh view of the work. */
function keyOf(state: AttemptState, phase: string): string {
  const { workflow, agents, agent } = specOf(state)
  const { session, phases } = workflow
  if (session !== 'attempt' || !phases.some(({ name }) => name === phase)) return phase
  if (isReader(phaseOf(workflow, phase).role)) return phase
  const { driver, model } = agents[phase] ?? agent
  return `${driver} ${model}`
}
