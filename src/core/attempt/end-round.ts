import type { AttemptEvent } from '../model/attempt-event.ts'
import type { Moment } from '../model/input.ts'
import type { RoundEnd, RoundEndKind } from '../model/round.ts'
import { claimByTool } from './decide-tool-call.ts'
import type { AttemptState } from './state.ts'

/** The round that is going on is over, as we say. */
export function roundEnded(state: AttemptState, kind: RoundEndKind, detail: string, moment: Moment): AttemptEvent {
  return ended(state, { kind, detail, claim: null, resetAt: null, note: null }, moment)
}

/** The round that is going on is over, as its agent says; an agent that told no usage is named. */
export function roundEndedBy(state: AttemptState, end: RoundEnd, moment: Moment): readonly AttemptEvent[] {
  const { session } = state
  // What it said by a tool counts over its text; the note's text is kept by its digest.
  const over = ended(state, { ...end, claim: claimByTool(state) ?? end.claim, note: null }, moment)
  const isUntold = session?.isOpen === true && session.used === null && !session.isUntracked
  return end.kind === 'ok' && isUntold ? [over, { kind: 'context-untracked', session: session.id }] : [over]
}

function ended({ doing, roundUsd: usd, totals }: AttemptState, end: RoundEnd, moment: Moment): AttemptEvent {
  if (doing.kind !== 'round') throw new Error('no round is going on')
  const activeMs = Math.max(0, moment.at - doing.startedAt)
  return { kind: 'round-ended', round: doing.round, end, activeMs: end.kind === 'lost' ? 0 : activeMs, usd, totals }
}
