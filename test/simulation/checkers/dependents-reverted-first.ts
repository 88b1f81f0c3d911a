import { type Checker, runEvents } from './checker.ts'

/** No task is reverted while a landed task that comes after it, directly or not, is still on the line. */
export const dependentsRevertedFirst: Checker = (playthrough) => {
  const { tasks } = playthrough.world.scenario.backlog
  const isAfter = (id: string, before: string): boolean => {
    const after = tasks.find((task) => task.id === id)?.after ?? []
    return after.some((other) => other === before || isAfter(other, before))
  }
  const landed = new Set<string>()
  const faults: string[] = []
  for (const event of runEvents(playthrough)) {
    if (event.kind === 'landed') for (const task of event.tasks) landed.add(task)
    if (event.kind !== 'reverted') continue
    landed.delete(event.task)
    const left = [...landed].filter((task) => isAfter(task, event.task))
    if (left.length > 0) faults.push(`${event.task} was reverted under ${left.join(', ')}`)
  }
  return faults
}
