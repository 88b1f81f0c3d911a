import type { Checker } from './checker.ts'

/** What an engine holds in memory is what its ledger folds to. */
export const foldEqualsLive: Checker = ({ world }) =>
  world.trace.folds.map(({ ledger, difference }) => `${ledger} folds to something else: ${difference}`)
