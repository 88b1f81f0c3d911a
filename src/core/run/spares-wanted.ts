import { SPARES_MAX } from '../limits/limits.ts'
import type { Commit } from '../model/ids.ts'
import { slotsMax } from './settle.ts'
import type { RunState } from './state.ts'

/** Clones to have ready before there is a slot for the work in them. */
export interface SparesWanted {
  readonly count: number
  /** The commit that such work would start from now. */
  readonly commit: Commit
}

/** How many clones a run will soon want: for as many tasks as may start, and for a landing. Null: it is not at work. */
export function sparesWanted(state: RunState): SparesWanted | null {
  if (state.line === null || state.working.size === 0) return null
  const { ready, waiting } = state.counts
  const starts = Math.min(ready + waiting, slotsMax(state))
  return { count: starts === 0 ? 0 : Math.min(starts + 1, SPARES_MAX), commit: state.line.line }
}
