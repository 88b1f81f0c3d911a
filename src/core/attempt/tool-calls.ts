import type { SessionId } from '../model/ids.ts'
import type { NoteQuality } from '../model/round.ts'
import type { ToolFact } from '../model/tool-call.ts'

/** Tool calls of an attempt's agents. Owned and changed by `evolve` alone. */
export interface ToolCallTally {
  /** Number of calls in the last round with any. */
  inRound: { readonly round: number; readonly calls: number }
  note: { readonly session: SessionId; readonly digest: string; readonly quality: NoteQuality } | null
  progress: string | null
  proposals: number
  knowledge: number
}

/** Returns a tally without calls. */
export function noToolCalls(): ToolCallTally {
  return {
    inRound: { round: 0, calls: 0 },
    note: null,
    progress: null,
    proposals: 0,
    knowledge: 0,
  }
}

/** Applies a tool call to the tally. */
export function evolveToolCalls(tally: ToolCallTally, event: ToolFact): void {
  const { round } = event
  const before = tally.inRound.round === round ? tally.inRound.calls : 0
  tally.inRound = { round, calls: before + 1 }
  switch (event.kind) {
    case 'work-reported':
      return
    case 'progress-reported':
      tally.progress = event.text
      return
    case 'note-left':
      tally.note = { session: event.session, digest: event.note, quality: event.quality }
      return
    case 'task-proposed':
      tally.proposals += 1
      return
    case 'knowledge-recorded':
      tally.knowledge += 1
  }
}
