import type { SessionId } from '../model/ids.ts'
import type { NoteQuality } from '../model/round.ts'
import { NO_TOTALS, type Totals } from '../model/usage.ts'

/** One conversation of an attempt, and what has become of it. Changed by `evolve` alone. */
export interface SessionRecord {
  readonly id: SessionId
  /** The phase that it was begun in. */
  readonly phase: string
  standing: 'active' | 'completed' | 'handed-off' | 'abandoned'
  readonly startedAt: number
  endedAt: number | null
  /** Whether the agent is known to have it. */
  isOpen: boolean
  model: string | null
  /** The version of the agent's program. */
  cli: string | null
  rounds: number
  totals: Totals
  /** Tokens that its last main-loop call held; null: no usage was told. */
  used: number | null
  /** The model's window, as the agent tells it. */
  window: number | null
  isWarned: boolean
  /** Its agent tells no usage, and this has been said. */
  isUntracked: boolean
  /** What it left for the next; null: nothing, or it has not handed over. */
  note: { readonly digest: string | null; readonly quality: NoteQuality } | null
}

/** A session of which only the id is known. */
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
