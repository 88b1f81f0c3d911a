import { type Checker, runEvents } from './checker.ts'

/** No attempt starts before everything it waits for has landed or was skipped. */
export const dependenciesFirst: Checker = (played) => {
  const { tasks } = played.world.scenario.backlog
  const landed = new Set<string>()
  const faults: string[] = []
  for (const event of runEvents(played)) {
    if (event.kind === 'task-skipped') landed.add(event.task)
    if (event.kind === 'landed') for (const task of event.tasks) landed.add(task)
    if (event.kind !== 'attempt-started') continue
    for (const id of event.tasks) {
      const task = tasks.find((one) => one.id === id)
      const before = tasks.filter((one) => task?.milestone === 'm2' && one.milestone === 'm1').map((one) => one.id)
      const missing = [...(task?.after ?? []), ...before].filter((one) => !landed.has(one))
      if (missing.length > 0) faults.push(`${id} started before ${missing.join(', ')} landed`)
    }
  }
  return faults
}
