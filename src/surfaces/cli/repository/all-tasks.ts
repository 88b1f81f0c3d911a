import type { RunId, TaskId } from '../../../core/model/ids.ts'
import { ProblemError } from '../../../core/model/problem.ts'
import type { RunState, TaskRecord } from '../../../core/run/state.ts'
import { unknownTask } from '../../../core/run/unknown-task.ts'
import type { Store } from '../../../ports/store.ts'
import { noRun } from './ask-run.ts'
import { currentRun, foldRun, readRuns } from './runs.ts'

/** A task, with the run that it belongs to. */
export interface TaskInRun {
  readonly record: TaskRecord
  readonly run: RunState
  readonly id: RunId
}

/** Tasks of all runs. */
export interface AllTasks {
  /** The open run, else the last one. */
  readonly current: RunState
  /** Each task in the newest run that has it; the current run is the newest. */
  readonly tasks: ReadonlyMap<TaskId, TaskInRun>
}

/** Reads the tasks of all runs. A repository without a run ends the verb. */
export async function readAllTasks(store: Store): Promise<AllTasks> {
  const runs = await readRuns(store)
  const first = currentRun(runs)
  if (first === null) throw new ProblemError(noRun())
  const tasks = new Map<TaskId, TaskInRun>()
  const current = await foldRun(store, first.run)
  for (const { run: id } of [first, ...runs.filter((run) => run !== first).toReversed()]) {
    const run = id === first.run ? current : await foldRun(store, id)
    for (const [task, record] of run.tasks) if (!tasks.has(task)) tasks.set(task, { record, run, id })
  }
  return { current, tasks }
}

/** Returns a task of any run. An unknown one ends the verb. */
export function taskInRun({ tasks }: AllTasks, task: TaskId): TaskInRun {
  const known = tasks.get(task)
  if (known === undefined) throw new ProblemError(unknownTask(task, 'this repository', tasks.keys()))
  return known
}
