import { type Checker, runEvents } from './checker.ts'

/** A task has one attempt at a time, and a workspace one agent. */
export const oneLiveAttempt: Checker = (played) => {
  const { trace, scenario } = played.world
  const live = new Map<string, string>()
  const faults: string[] = []
  for (const event of runEvents(played)) {
    if (event.kind === 'attempt-started') {
      for (const task of event.tasks) {
        const other = live.get(task)
        if (other !== undefined) faults.push(`${event.attempt} started while ${other} was alive`)
        live.set(task, event.attempt)
      }
    }
    if (event.kind === 'attempt-ended') for (const [task, id] of live) if (id === event.attempt) live.delete(task)
  }
  if (scenario.isLeaseBroken) return faults
  const crowded = trace.rounds.filter((round) => round.others > 0)
  return [...faults, ...crowded.map((round) => `a round of ${round.attempt} started beside ${round.others} agents`)]
}
