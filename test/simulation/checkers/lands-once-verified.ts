import { type Checker, runEvents } from './checker.ts'

/** Nothing lands twice, and nothing lands unless its checks passed in a clean checkout. */
export const landsOnceVerified: Checker = (playthrough) => {
  const { world } = playthrough
  const faults: string[] = []
  const landed = new Set<string>()
  const landings: string[] = []
  for (const event of runEvents(playthrough)) {
    if (event.kind === 'reverted') landed.delete(event.task)
    if (event.kind !== 'landed') continue
    for (const task of event.tasks) {
      if (landed.has(task)) faults.push(`${task} landed twice`)
      landed.add(task)
      landings.push(task)
    }
  }
  const line = world.line()
  const history = line === null ? [] : world.repository.firstParents(line)
  const messages = history.map((commit) => world.repository.messageOf(commit))
  for (const task of world.scenario.backlog.tasks) {
    const times = messages.filter(
      (message) => message.startsWith(`${task.id}: `) && message.includes('Attempt: '),
    ).length
    const recorded = landings.filter((landing) => landing === task.id).length
    if (times > Math.max(1, recorded)) faults.push(`${task.id} is in the line's history ${times} times`)
    if (landed.has(task.id) && times === 0)
      faults.push(`${task.id} is recorded as landed but is missing from the line's history`)
    if (recorded === 0 && times > 0 && playthrough.end?.kind === 'settled')
      faults.push(`${task.id} is in the line but not recorded as landed`)
  }
  if ((world.scenario.settings.gates ?? []).length === 0) return faults
  return [
    ...faults,
    ...world.trace.advances.filter((move) => !move.checked).map((move) => `${move.to} reached the line unchecked`),
  ]
}
