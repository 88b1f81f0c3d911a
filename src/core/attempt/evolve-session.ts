import type { AttemptEvent } from '../model/attempt-event.ts'
import type { UsageReport } from '../model/round.ts'
import { addTotals } from '../model/usage.ts'
import type { AttemptState } from './state.ts'

type SessionFact = Extract<
  AttemptEvent,
  { kind: 'session-opened' | 'usage-observed' | 'tool-denied' | 'context-compacted' | 'cost-drifted' | 'session-quiet' }
>

/** Takes a fact about what an attempt's session says and uses into its state. */
export function evolveSession(state: AttemptState, event: SessionFact): void {
  switch (event.kind) {
    case 'session-opened':
      if (state.session?.id === event.session) state.session = { ...state.session, opened: true, model: event.model }
      return
    case 'usage-observed':
      observe(state, event.usage, event.usd, event.day)
      return
    case 'tool-denied':
      state.denials.add(`${event.tool} ${event.reason}`)
      return
    case 'context-compacted':
    case 'cost-drifted':
    case 'session-quiet':
      return
  }
}

function observe(state: AttemptState, usage: UsageReport, usd: number | null, day: string): void {
  state.usageSeen.add(`${usage.session} ${usage.message}`)
  const turns = usage.scope === 'main' ? 1 : 0
  state.roundTurns += turns
  state.roundUsd = usd === null || state.roundUsd === null ? null : state.roundUsd + usd
  if (usd === null) state.unpriced = true
  const spent = usd ?? 0
  state.totals = addTotals(state.totals, { usd: spent, turns, tokens: usage.tokens, usdByDay: { [day]: spent } })
  if (state.session?.id !== usage.session || usage.scope !== 'main') return
  const used = usage.tokens.input + usage.tokens.cacheRead + usage.tokens.cacheWrite
  state.session = { ...state.session, used, window: usage.window ?? state.session.window }
}
