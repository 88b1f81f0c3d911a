import { CALLS_RECORDED_MAX, KNOWLEDGE_PER_ATTEMPT_MAX, PROPOSALS_PER_ATTEMPT_MAX } from '../limits/limits.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { SessionId } from '../model/ids.ts'
import { accepted, type Decision, refused } from '../model/input.ts'
import { problem } from '../model/problem.ts'
import type { Claim, NoteQuality } from '../model/round.ts'
import type { RecordedCall, ToolFact } from '../model/tool-call.ts'
import type { AttemptState } from './state.ts'

/** Decides on a tool call; it counts only in its own round and within limits. */
export function decideToolCall(state: AttemptState, round: number, call: RecordedCall): Decision<AttemptEvent> {
  const { doing, toolCalls, session } = state
  if (doing.kind !== 'round' || doing.round !== round || session === null) return refuse('this round is over')
  const calls = toolCalls.inRound.round === round ? toolCalls.inRound.calls : 0
  if (calls >= CALLS_RECORDED_MAX) return refuse(`at most ${CALLS_RECORDED_MAX} calls per round are recorded`)
  if (call.kind === 'propose' && toolCalls.proposals >= PROPOSALS_PER_ATTEMPT_MAX) {
    return refuse(`an attempt may propose at most ${PROPOSALS_PER_ATTEMPT_MAX} tasks`)
  }
  if (call.kind === 'learn' && toolCalls.knowledge >= KNOWLEDGE_PER_ATTEMPT_MAX) {
    return refuse(`an attempt may record at most ${KNOWLEDGE_PER_ATTEMPT_MAX} lessons; keep to what others need`)
  }
  return accepted([factOf(call, round, session.id)])
}

/** Returns the claim that the running round's agent made by tool, or null when there is none. */
export function claimByTool({ doing, reports: { claim } }: AttemptState): Claim | null {
  const isOfRound = doing.kind === 'round' && claim?.round === doing.round
  return isOfRound && claim.report.kind === 'claim' ? claim.report.claim : null
}

/** Returns the better of a session's requested note and the note that it left earlier. */
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

function refuse(why: string): Decision<never> {
  return refused(problem({ code: 'call-refused', message: why, hint: 'Continue without it.', retry: 'never' }))
}
