import type { TaskId } from '../../model/ids.ts'
import type { RunState, Standing } from '../../run/state.ts'

/** The tasks of one state, in the order in which they are shown. */
export interface TaskGroup {
  readonly standing: Standing
  readonly tasks: readonly TaskId[]
}

// What a person may have to look at comes first, what is over comes last.
const SHOWN: readonly Standing[] = [
  'needs-person',
  'running',
  'landing',
  'parked',
  'failed',
  'ready',
  'waiting',
  'blocked',
  'done',
  'skipped',
]

/** A run's tasks by state: those that are ready as they would start, all others as they were added. */
export function orderTasks(run: RunState): readonly TaskGroup[] {
  const byStanding = new Map<Standing, TaskId[]>(SHOWN.map((standing) => [standing, []]))
  for (const [id, { standing }] of run.tasks) byStanding.get(standing)?.push(id)
  return SHOWN.flatMap((standing) => {
    const tasks = inOrder(run, standing, byStanding.get(standing) ?? [])
    return tasks.length === 0 ? [] : [{ standing, tasks }]
  })
}

function inOrder(run: RunState, standing: Standing, tasks: readonly TaskId[]): readonly TaskId[] {
  if (standing !== 'ready') return tasks
  // Work that was sent back is ready too, and goes on before anything new starts.
  const sentBack = tasks.filter((id) => run.tasks.get(id)?.live !== null)
  return [...sentBack, ...run.ready.inOrder(run.graph, (id) => run.tasks.get(id))]
}
