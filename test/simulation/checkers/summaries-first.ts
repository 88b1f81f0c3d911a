import { type Checker, runEvents } from './checker.ts'

/** No task of the second milestone starts before the first has its summary, and every milestone has one when a run ends. */
export const summariesFirst: Checker = (playthrough) => {
  const { tasks, milestones } = playthrough.world.scenario.backlog
  const milestoneOf = (id: string) => tasks.find((task) => task.id === id)?.milestone ?? null
  const summarized = new Set<string>()
  const withLandedTasks = new Set<string>()
  const faults: string[] = []
  for (const event of runEvents(playthrough)) {
    if (event.kind === 'milestone-summarized') summarized.add(event.milestone)
    if (event.kind === 'landed') for (const task of event.tasks) withLandedTasks.add(milestoneOf(task) ?? '')
    if (event.kind === 'attempt-started') {
      const isEarly = event.tasks.some((task) => milestoneOf(task) === 'm2') && !summarized.has('m1')
      if (isEarly) faults.push(`${event.attempt} started before m1 had its summary`)
    }
    if (event.kind === 'run-ended') {
      const left = milestones.filter(({ id }) => withLandedTasks.has(id) && !summarized.has(id))
      faults.push(...left.map(({ id }) => `the run ended without a summary of ${id}`))
    }
  }
  return faults
}
