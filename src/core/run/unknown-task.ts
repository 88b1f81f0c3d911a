import type { TaskId } from '../model/ids.ts'
import { type Problem, problem } from '../model/problem.ts'
import { nearestName } from '../reading/nearest-name.ts'

/** Nobody knows a task of this name; `where` it was looked for, and which ones there are. */
export function unknownTask(task: TaskId, where: string, known: Iterable<TaskId>): Problem {
  const nearest = nearestName(task, known)
  return problem({
    code: 'unknown-task',
    message: `There is no task ${task} in ${where}.`,
    hint: nearest === null ? 'See "longhaul status" for the tasks.' : `Did you mean ${nearest}?`,
    retry: 'never',
  })
}
