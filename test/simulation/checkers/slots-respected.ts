import { type Checker, runEvents } from './checker.ts'

/** Never more attempts at work than there are slots, by the ledger and by the processes. */
export const slotsRespected: Checker = (played) => {
  const { slots, trace, scenario } = played.world
  const faults: string[] = []
  const working = new Set<string>()
  for (const event of runEvents(played)) {
    if (event.kind === 'attempt-started' || event.kind === 'attempt-resumed') working.add(event.attempt)
    if (event.kind === 'attempt-waiting' || event.kind === 'attempt-ready') working.delete(event.attempt)
    if (event.kind === 'attempt-ended') working.delete(event.attempt)
    if (working.size > slots) faults.push(`${working.size} attempts at work with ${slots} slots`)
  }
  if (scenario.isLeaseBroken) return faults
  const tooMany = trace.rounds.filter((round) => round.agents > slots)
  return [...faults, ...tooMany.map((round) => `${round.agents} agents alive with ${slots} slots (${round.attempt})`)]
}
