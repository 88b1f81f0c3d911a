import type { Samples } from '../model/usage.ts'
import { type RunState, STANDINGS, type Standing } from '../run/state.ts'

/** Summary row of a run, stored beside its ledger. */
export interface RunSummary {
  readonly target: string
  readonly openedAt: number
  readonly endedAt: number | null
  readonly counts: Readonly<Record<Standing, number>>
  readonly usd: number
  readonly usdByDay: Readonly<Record<string, number>>
  /** Turns and time of landed tasks, of this run and those before it. */
  readonly samples: Samples
}

/** Summarizes a run. */
export function runSummary(state: RunState): RunSummary {
  const counts = Object.fromEntries(STANDINGS.map((standing) => [standing, state.counts[standing]]))
  return {
    target: state.target,
    openedAt: state.openedAt,
    endedAt: state.endedAt,
    counts: counts as Record<Standing, number>,
    usd: state.totals.usd,
    usdByDay: state.totals.usdByDay,
    samples: state.samples,
  }
}
