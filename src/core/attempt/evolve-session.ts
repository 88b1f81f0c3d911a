import { tokensHeld } from '../context/occupancy.ts'
import { newSession, type SessionRecord } from '../context/session.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { SessionFact } from '../model/session-fact.ts'
import type { ToolFact } from '../model/tool-call.ts'
import { addTotals, type Totals } from '../model/usage.ts'
import type { AttemptState } from './state.ts'
import { evolveToolCalls } from './tool-calls.ts'

/** Applies a fact about an attempt's session or its tool calls to the state. */
export function evolveSession(state: AttemptState, event: SessionFact | ToolFact, at: number): void {
  switch (event.kind) {
    case 'session-opened':
      if (state.session?.id !== event.session) return
      Object.assign(state.session, { isOpen: true, model: event.model, cli: event.cli })
      return
    case 'usage-observed':
      observe(state, event)
      return
    case 'tool-denied':
      state.denials.add(`${event.tool} ${event.reason}`)
      return
    case 'host-refused':
      state.refusedHosts.add(event.host)
      return
    case 'context-warned':
      if (state.session !== null) state.session.isWarned = true
      return
    case 'context-untracked':
      if (state.session !== null) state.session.isUntracked = true
      return
    case 'hand-off-started':
      if (state.doing.kind === 'round') state.doing = { ...state.doing, handOver: event.when }
      return
    case 'session-handed-off':
      handOff(state, event, at)
      return
    case 'allowance-crossed':
      state.allowanceWarned = event.share
      return
    case 'context-compacted':
    case 'cost-drifted':
    case 'session-quiet':
      return
    default:
      evolveToolCalls(state.toolCalls, event)
  }
}

/** Opens a session and ends the phase's previous one. */
export function openSession(
  { sessions }: AttemptState,
  { session: id, phase }: Extract<AttemptEvent, { kind: 'round-started' }>,
  at: number,
): SessionRecord {
  const before = sessions.findLast((session) => session.phase === phase)
  if (before !== undefined) endSession(before, 'completed', at)
  const session = newSession(id, phase, at)
  sessions.push(session)
  return session
}

/** Ends a session. */
export function endSession(session: SessionRecord, standing: SessionRecord['standing'], at: number): void {
  if (session.standing !== 'active') return
  session.standing = standing
  session.endedAt = at
}

function handOff(
  state: AttemptState,
  { note, quality }: Extract<SessionFact, { kind: 'session-handed-off' }>,
  at: number,
): void {
  state.handOff = { note, history: null }
  if (state.session === null) return
  state.session.note = { digest: note, quality }
  endSession(state.session, 'handed-off', at)
}

function observe(state: AttemptState, { usage, usd, day }: Extract<SessionFact, { kind: 'usage-observed' }>): void {
  state.usageSeen.add(`${usage.session} ${usage.message}`)
  const turns = usage.scope === 'main' ? 1 : 0
  state.roundTurns += turns
  state.roundUsd = usd === null || state.roundUsd === null ? null : state.roundUsd + usd
  if (usd === null) state.unpriced = true
  const spent = usd ?? 0
  const totals: Totals = { usd: spent, turns, tokens: usage.tokens, usdByDay: { [day]: spent } }
  state.totals = addTotals(state.totals, totals)
  const session = state.sessions.findLast((one) => one.id === usage.session)
  if (session === undefined) return
  session.totals = addTotals(session.totals, totals)
  if (usage.scope !== 'main') return
  // No prompt is empty, so zero input tokens mean that the agent reported none.
  session.used = tokensHeld(usage.tokens) || session.used
  session.window = usage.window ?? session.window
}
