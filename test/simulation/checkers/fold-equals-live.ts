import type { Checker } from './checker.ts'

/** The state in an engine's memory equals the fold of its ledger. */
export const foldEqualsLive: Checker = ({ world }) =>
  world.trace.folds.map(({ ledger, difference }) => `${ledger} folds to another state: ${difference}`)
