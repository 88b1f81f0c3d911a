import type { SessionId } from '../model/ids.ts'
import type { NoteQuality } from '../model/round.ts'
import type { ToolFact } from '../model/tool-call.ts'

/** What the agents of an attempt have said through our tools. Owned and changed by `evolve` alone. */
export interface ToolCallTally {
  /** Calls of the last round that made any. */
  inRound: { readonly round: number; readonly calls: number }
  note: { readonly session: SessionId; readonly digest: string; readonly quality: NoteQuality } | null
  progress: string | null
  proposals: number
  knowledge: number
}

/** Nothing has been said so far. */
export function noToolCalls(): ToolCallTally {
  return {
    inRound: { round: 0, calls: 0 },
    note: null,
    progress: null,
    proposals: 0,
    knowledge: 0,
  }
}

/** Takes what an agent said into an attempt's state. */
export function evolveToolCalls(called: ToolCallTally, event: ToolFact): void {
  const { round } = event
  const before = called.inRound.round === round ? called.inRound.calls : 0
  called.inRound = { round, calls: before + 1 }
  switch (event.kind) {
    case 'work-reported':
      return
    case 'progress-reported':
      called.progress = event.text
      return
    case 'note-left':
      called.note = { session: event.session, digest: event.note, quality: event.quality }
      return
    case 'task-proposed':
      called.proposals += 1
      return
    case 'knowledge-recorded':
      called.knowledge += 1
  }
}
