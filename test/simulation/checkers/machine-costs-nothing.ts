import type { Checker } from './checker.ts'

/** A disk that is read-only for a while costs no attempt: no fact blames it. */
export const machineCostsNothing: Checker = ({ world: { trace, scenario } }) => {
  if (scenario.faults['read-only'] === 0) return []
  return trace.appends.flatMap(({ ledger, events }) =>
    events
      .filter((event) => JSON.stringify(event).includes('is read-only'))
      .map(({ kind }) => `"${kind}" in ${ledger} blames a disk that was read-only`),
  )
}
