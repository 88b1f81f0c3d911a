import { CALLS_RECORDED_MAX, KNOWLEDGE_PER_ATTEMPT_MAX, PROPOSALS_PER_ATTEMPT_MAX } from '../limits/limits.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { SessionId } from '../model/ids.ts'
import { accepted, type Decision, refused } from '../model/input.ts'
import { problem } from '../model/problem.ts'
import type { Claim, NoteQuality } from '../model/round.ts'
import type { RecordedCall, ToolFact } from '../model/tool-call.ts'
import type { AttemptState } from './state.ts'

/** What an agent's call comes to; it counts only in its own round, and within bounds. */
export function decideToolCall(state: AttemptState, round: number, call: RecordedCall): Decision<AttemptEvent> {
  const { doing, toolCalls, session } = state
  if (doing.kind !== 'round' || doing.round !== round || session === null) return unheard('this round is over')
  const calls = toolCalls.inRound.round === round ? toolCalls.inRound.calls : 0
  if (calls >= CALLS_RECORDED_MAX) return unheard(`${CALLS_RECORDED_MAX} calls are recorded in a round at most`)
  if (call.kind === 'propose' && toolCalls.proposals >= PROPOSALS_PER_ATTEMPT_MAX) {
    return unheard(`${PROPOSALS_PER_ATTEMPT_MAX} tasks are proposed at most`)
  }
  if (call.kind === 'learn' && toolCalls.knowledge >= KNOWLEDGE_PER_ATTEMPT_MAX) {
    return unheard(`${KNOWLEDGE_PER_ATTEMPT_MAX} things are recorded at most: keep to what others need`)
  }
  return accepted([factOf(call, round, session.id)])
}

/** What the agent of the round that is going on claims by a tool; null: nothing. */
export function claimByTool({ doing, reports: { claim } }: AttemptState): Claim | null {
  const isOfRound = doing.kind === 'round' && claim?.round === doing.round
  return isOfRound && claim.report.kind === 'claim' ? claim.report.claim : null
}

/** The better of what a session wrote when it was asked, and what it had left before. */
export function bestNote(
  { session, toolCalls }: AttemptState,
  written: { readonly digest: string | null; readonly quality: NoteQuality } | null,
): { readonly digest: string | null; readonly quality: NoteQuality } {
  const last = written ?? { digest: null, quality: 'none' as const }
  const left = toolCalls.note?.session === session?.id ? toolCalls.note : null
  return left !== null && WORTH[left.quality] > WORTH[last.quality] ? left : last
}

const WORTH: Readonly<Record<NoteQuality, number>> = { none: 0, partial: 1, whole: 2 }

function factOf(call: RecordedCall, round: number, session: SessionId): ToolFact {
  switch (call.kind) {
    case 'report':
      return { kind: 'work-reported', round, report: { kind: 'claim', claim: call.claim } }
    case 'ask': {
      const claim = { kind: 'blocked', reason: call.question } as const
      return { kind: 'work-reported', round, report: { kind: 'claim', claim } }
    }
    case 'review':
    case 'qa':
      return { kind: 'work-reported', round, report: call }
    case 'progress':
      return { kind: 'progress-reported', round, text: call.text }
    case 'note':
      return { kind: 'note-left', round, session, note: call.digest, quality: call.quality }
    case 'propose':
      return { kind: 'task-proposed', round, proposal: call.proposal }
    case 'learn':
      return { kind: 'knowledge-recorded', round, knowledge: call.knowledge }
  }
}

function unheard(why: string): Decision<never> {
  return refused(problem({ code: 'call-refused', message: why, hint: 'Go on without it.', retry: 'never' }))
}
