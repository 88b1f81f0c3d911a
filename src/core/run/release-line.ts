import type { RunState } from './state.ts'

/** Ends all holds of the landing line, to try again what a person may have repaired. */
export function releaseLine(state: RunState): void {
  if (state.lineHeld !== null && state.endedAt === null) reopenLine(state)
  if (state.baseline?.isDead === true) state.baseline = null
  state.lineHeld = null
  state.targetHeld = null
}

/** Reads the landing line again and rebuilds candidates: whoever fixed the line may have moved it. */
function reopenLine(state: RunState): void {
  state.line = null
  for (const landing of state.landings) Object.assign(landing, { candidate: null, receipts: null, stale: 0 })
}
