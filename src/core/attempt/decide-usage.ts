import { occupancy, pressureOf, tokensHeld } from '../context/occupancy.ts'
import { BUDGET_WARNINGS, HAND_OVER_TURNS } from '../limits/limits.ts'
import { costUsd } from '../limits/prices.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { Moment } from '../model/input.ts'
import type { UsageReport } from '../model/round.ts'
import { dayOf } from '../model/usage.ts'
import { roundEnded } from './end-round.ts'
import { type AttemptState, type Doing, specOf } from './state.ts'

type Round = Extract<Doing, { kind: 'round' }>

/** Counts a model call once, and decides what follows: a reached limit, a full session. */
export function decideUsage(state: AttemptState, usage: UsageReport, moment: Moment): readonly AttemptEvent[] {
  if (state.spec === null || state.usageSeen.has(`${usage.session} ${usage.message}`)) return []
  const usd = costUsd(usage.tokens, usage.model, state.spec.prices, usage.hourCacheWrite)
  const observed: AttemptEvent = { kind: 'usage-observed', usage, usd, day: dayOf(moment.at) }
  const { doing } = state
  if (doing.kind !== 'round') return [observed]
  const ended = limitReached(state, doing, usage, usd ?? 0, moment)
  if (ended !== null) return [observed, ended]
  return [observed, ...allowanceFacts(state, usd ?? 0), ...contextFacts(state, doing, usage)]
}

function limitReached(
  state: AttemptState,
  { turnsMax, handOver }: Round,
  { scope }: UsageReport,
  usd: number,
  moment: Moment,
): AttemptEvent | null {
  const { allowance } = specOf(state)
  const spent = state.totals.usd + usd
  if (allowance !== null && spent >= allowance.usd) {
    const detail = `the ${allowance.budget}'s budget is used up: ${dollars(spent)} of ${dollars(allowance.usd)}`
    return roundEnded(state, 'budget', detail, moment)
  }
  const most = turnsMax + (handOver === null ? 0 : HAND_OVER_TURNS)
  if (scope === 'main' && state.roundTurns + 1 > most) {
    return roundEnded(state, 'max-turns', `${turnsMax} turns are used up`, moment)
  }
  return null
}

function allowanceFacts(state: AttemptState, usd: number): readonly AttemptEvent[] {
  const { allowance } = specOf(state)
  if (allowance === null) return []
  const spent = state.totals.usd + usd
  const share = BUDGET_WARNINGS.filter((one) => spent >= one * allowance.usd).at(-1) ?? 0
  if (share <= state.allowanceWarned) return []
  return [{ kind: 'allowance-crossed', budget: allowance.budget, share, usd: spent, limitUsd: allowance.usd }]
}

/** Decides what the session's occupancy after this call requires, unless that is recorded already. */
function contextFacts(state: AttemptState, { handOver }: Round, usage: UsageReport): readonly AttemptEvent[] {
  const { session } = state
  const { context, bounds } = specOf(state)
  if (session === null || session.id !== usage.session || usage.scope !== 'main') return []
  const held = occupancy(tokensHeld(usage.tokens), usage.window ?? session.window, context)
  if (held === null) return []
  const pressure = pressureOf(held.share, context)
  // Without a hand-off left, the session continues as far as it gets.
  if (pressure.kind === 'hand-over' && state.handOffs < bounds.handOffsMax) {
    const isRecorded = handOver === pressure.when || handOver === 'now'
    return isRecorded ? [] : [{ kind: 'hand-off-started', session: session.id, ...held, when: pressure.when }]
  }
  const isNew = pressure.kind !== 'none' && !session.isWarned
  return isNew ? [{ kind: 'context-warned', session: session.id, ...held }] : []
}

function dollars(usd: number): string {
  return `${usd.toFixed(2)} USD`
}
