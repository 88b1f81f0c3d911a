import type { AttemptEvent } from '../model/attempt-event.ts'
import type { Moment } from '../model/input.ts'
import type { RoundEnd, RoundEndKind } from '../model/round.ts'
import { claimByTool } from './decide-tool-call.ts'
import type { AttemptState } from './state.ts'

/** Ends the running round for a reason of the engine. */
export function roundEnded(state: AttemptState, kind: RoundEndKind, detail: string, moment: Moment): AttemptEvent {
  return ended(state, { kind, detail, claim: null, resetAt: null, note: null }, moment)
}

/** Ends the running round as its agent reports; notes an agent that reports no usage. */
export function roundEndedByAgent(state: AttemptState, end: RoundEnd, moment: Moment): readonly AttemptEvent[] {
  const { session } = state
  // A claim by tool takes precedence over the text; the note's text is stored by digest.
  const over = ended(state, { ...end, claim: claimByTool(state) ?? end.claim, note: null }, moment)
  const lacksUsage = session?.isOpen === true && session.used === null && !session.isUntracked
  return end.kind === 'ok' && lacksUsage ? [over, { kind: 'context-untracked', session: session.id }] : [over]
}

function ended({ doing, roundUsd: usd, totals }: AttemptState, end: RoundEnd, moment: Moment): AttemptEvent {
  if (doing.kind !== 'round') throw new Error('no round is running')
  const activeMs = Math.max(0, moment.at - doing.startedAt)
  return { kind: 'round-ended', round: doing.round, end, activeMs: end.kind === 'lost' ? 0 : activeMs, usd, totals }
}
