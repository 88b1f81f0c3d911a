import type { TaskId } from '../model/ids.ts'
import { type Problem, problem } from '../model/problem.ts'
import { nearestName } from '../reading/nearest-name.ts'

/** Reports an unknown task, with the place that was searched and the nearest known name. */
export function unknownTask(task: TaskId, where: string, known: Iterable<TaskId>): Problem {
  const nearest = nearestName(task, known)
  return problem({
    code: 'unknown-task',
    message: `There is no task ${task} in ${where}.`,
    hint: nearest === null ? 'See "longhaul status" for the tasks.' : `Did you mean ${nearest}?`,
    retry: 'never',
  })
}
