import { type Checker, runEvents } from './checker.ts'

/** No attempt starts before all its dependencies have landed and are not reverted, or were skipped. */
export const dependenciesFirst: Checker = (playthrough) => {
  const { tasks } = playthrough.world.scenario.backlog
  const landed = new Set<string>()
  const faults: string[] = []
  for (const event of runEvents(playthrough)) {
    if (event.kind === 'reverted') landed.delete(event.task)
    if (event.kind === 'task-skipped') landed.add(event.task)
    if (event.kind === 'landed') for (const task of event.tasks) landed.add(task)
    if (event.kind !== 'attempt-started') continue
    for (const id of event.tasks) {
      const task = tasks.find((candidate) => candidate.id === id)
      const before = tasks
        .filter((other) => task?.milestone === 'm2' && other.milestone === 'm1')
        .map((other) => other.id)
      const missing = [...(task?.after ?? []), ...before].filter((dependency) => !landed.has(dependency))
      if (missing.length > 0) faults.push(`${id} started before ${missing.join(', ')} landed`)
    }
  }
  return faults
}
