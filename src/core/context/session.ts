import type { SessionId } from '../model/ids.ts'
import type { NoteQuality } from '../model/round.ts'
import { NO_TOTALS, type Totals } from '../model/usage.ts'

/** State of one session of an attempt. Changed by `evolve` alone. */
export interface SessionRecord {
  readonly id: SessionId
  /** Phase that it started in. */
  readonly phase: string
  standing: 'active' | 'completed' | 'handed-off' | 'abandoned'
  readonly startedAt: number
  endedAt: number | null
  /** True once the agent has opened it. */
  isOpen: boolean
  model: string | null
  /** Version of the agent's program. */
  cli: string | null
  rounds: number
  totals: Totals
  /** Tokens held by its last main-loop call, or null before the first usage report. */
  used: number | null
  /** Context window of the model, or null when unknown. */
  window: number | null
  isWarned: boolean
  /** True once it is recorded that its agent reports no usage. */
  isUntracked: boolean
  /** Hand-off note, or null before a hand-off. */
  note: { readonly digest: string | null; readonly quality: NoteQuality } | null
}

/** Returns a session before its first fact. */
export function newSession(id: SessionId, phase: string, startedAt: number): SessionRecord {
  return {
    id,
    phase,
    standing: 'active',
    startedAt,
    endedAt: null,
    isOpen: false,
    model: null,
    cli: null,
    rounds: 0,
    totals: NO_TOTALS,
    used: null,
    window: null,
    isWarned: false,
    isUntracked: false,
    note: null,
  }
}
