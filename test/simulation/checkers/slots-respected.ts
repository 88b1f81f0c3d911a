import { type Checker, runEvents } from './checker.ts'

/** Never more working attempts than slots, in the ledger and among processes. */
export const slotsRespected: Checker = (playthrough) => {
  const { slots, trace, scenario } = playthrough.world
  const faults: string[] = []
  const working = new Set<string>()
  for (const event of runEvents(playthrough)) {
    if (event.kind === 'attempt-started' || event.kind === 'attempt-resumed') working.add(event.attempt)
    if (event.kind === 'attempt-waiting' || event.kind === 'attempt-ready') working.delete(event.attempt)
    if (event.kind === 'attempt-ended') working.delete(event.attempt)
    if (working.size > slots) faults.push(`${working.size} attempts working with ${slots} slots`)
  }
  if (scenario.isLeaseBroken) return faults
  const tooMany = trace.rounds.filter((round) => round.agents > slots)
  return [...faults, ...tooMany.map((round) => `${round.agents} agents alive with ${slots} slots (${round.attempt})`)]
}
