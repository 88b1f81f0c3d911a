import { type Checker, runEvents } from './checker.ts'

/** A task has at most one live attempt, and a workspace at most one agent. */
export const oneLiveAttempt: Checker = (playthrough) => {
  const { trace, scenario } = playthrough.world
  const live = new Map<string, string>()
  const faults: string[] = []
  for (const event of runEvents(playthrough)) {
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
  return [
    ...faults,
    ...crowded.map((round) => `a round of ${round.attempt} started while ${round.others} agents were in its workspace`),
  ]
}
