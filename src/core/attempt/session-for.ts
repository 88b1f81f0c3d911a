import { occupancy } from '../context/occupancy.ts'
import type { SessionRecord } from '../context/session.ts'
import type { RoundCause } from '../model/attempt-event.ts'
import type { SessionId } from '../model/ids.ts'
import { isReader, phaseOf } from '../phases/workflows.ts'
import { type AttemptState, specOf } from './state.ts'

/** The session that the next round goes on with; null: it takes a fresh one. */
export function sessionFor(state: AttemptState, cause: RoundCause): SessionId | null {
  if (cause.kind === 'fresh-session') return null
  const key = keyOf(state, state.phase)
  const last = state.sessions.findLast((session) => keyOf(state, session.phase) === key)
  if (last === undefined || last.standing !== 'active') return null
  return isNews(cause) && !isSound(state, last) ? null : last.id
}

/** Whether a round says something that a session may be too full, or too old, to take up. */
function isNews(cause: RoundCause): boolean {
  return cause.kind === 'findings' || cause.kind === 'brief'
}

/** Work that comes back is mended where it was done, while there is room for that. */
function isSound(state: AttemptState, { used, window }: SessionRecord): boolean {
  const { workflow, context } = specOf(state)
  if (workflow.session === 'prompt') return false
  const held = occupancy(used, window, context)
  return held === null || held.share < context.warn
}

/** Phases with the same key share a session; who only reads has one of its own, to see the work with fresh eyes. */
function keyOf(state: AttemptState, phase: string): string {
  const { workflow, agents, agent } = specOf(state)
  const { session, phases } = workflow
  if (session !== 'attempt' || !phases.some(({ name }) => name === phase)) return phase
  if (isReader(phaseOf(workflow, phase).role)) return phase
  const { driver, model } = agents[phase] ?? agent
  return `${driver} ${model}`
}
