import type { TaskId } from '../../model/ids.ts'
import type { RunState, Standing } from '../../run/state.ts'

/** Tasks of one state, in display order. */
export interface TaskGroup {
  readonly standing: Standing
  readonly tasks: readonly TaskId[]
}

// Tasks that may need the user come first, finished ones last.
const DISPLAY_ORDER: readonly Standing[] = [
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
  'reverted',
]

/** Groups a run's tasks by state: ready ones in the order in which they would start, others as they were added. */
export function orderTasks(run: RunState): readonly TaskGroup[] {
  const byStanding = new Map<Standing, TaskId[]>(DISPLAY_ORDER.map((standing) => [standing, []]))
  for (const [id, { standing }] of run.tasks) byStanding.get(standing)?.push(id)
  return DISPLAY_ORDER.flatMap((standing) => {
    const tasks = sortTasks(run, standing, byStanding.get(standing) ?? [])
    return tasks.length === 0 ? [] : [{ standing, tasks }]
  })
}

function sortTasks(run: RunState, standing: Standing, tasks: readonly TaskId[]): readonly TaskId[] {
  if (standing !== 'ready') return tasks
  // Work that was sent back is ready too, and resumes before anything new starts.
  const sentBack = tasks.filter((id) => run.tasks.get(id)?.live !== null)
  return [...sentBack, ...run.ready.inOrder(run.graph, (id) => run.tasks.get(id))]
}
