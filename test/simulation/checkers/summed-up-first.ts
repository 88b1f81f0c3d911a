import { type Checker, runEvents } from './checker.ts'

/** Nothing of the second milestone starts before the first has been summed up, and a run ends with none left to sum up. */
export const summedUpFirst: Checker = (played) => {
  const { tasks, milestones } = played.world.scenario.backlog
  const milestoneOf = (id: string) => tasks.find((task) => task.id === id)?.milestone ?? null
  const summed = new Set<string>()
  const over = new Set<string>()
  const faults: string[] = []
  for (const event of runEvents(played)) {
    if (event.kind === 'milestone-summarized') summed.add(event.milestone)
    if (event.kind === 'landed') for (const task of event.tasks) over.add(milestoneOf(task) ?? '')
    if (event.kind === 'attempt-started') {
      const isEarly = event.tasks.some((task) => milestoneOf(task) === 'm2') && !summed.has('m1')
      if (isEarly) faults.push(`${event.attempt} started before m1 was summed up`)
    }
    if (event.kind === 'run-ended') {
      const left = milestones.filter(({ id }) => over.has(id) && !summed.has(id))
      faults.push(...left.map(({ id }) => `the run ended, and ${id} was not summed up`))
    }
  }
  return faults
}
