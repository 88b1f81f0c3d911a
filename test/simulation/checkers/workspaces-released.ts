import type { Checker } from './checker.ts'

/** Removing a workspace loses no work, and at the end only workspaces of failed attempts are left. */
export const workspacesReleased: Checker = async (playthrough) => {
  const { world, end } = playthrough
  const lost = world.trace.removals.filter((removal) => removal.lost.length > 0)
  const faults = lost.map(({ name, lost: paths }) => `${name} was removed with ${paths.join(', ')} unsaved`)
  if (end?.kind !== 'settled' || end.condition.kind !== 'ended') return faults
  const state = await world.foldRun()
  for (const { name, kind } of world.disk.workspaces.values()) {
    if (kind !== 'workspace' || isLanded(state, name)) faults.push(`${kind} ${name} was left behind`)
  }
  for (const process of world.disk.processes) faults.push(`a process was left in ${process.workspace}`)
  if (world.scenario.isLeaseBroken) return faults
  for (const ref of world.repository.refs.keys()) if (ref.includes('/candidate/')) faults.push(`${ref} was left behind`)
  return faults
}

function isLanded(state: Awaited<ReturnType<Parameters<Checker>[0]['world']['foldRun']>>, attempt: string): boolean {
  return [...state.tasks.values()].some((record) => record.landed?.attempt === attempt)
}
