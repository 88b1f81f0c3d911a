import type { TaskId } from '../model/ids.ts'
import type { Dependent, LineChange } from '../model/landed-work.ts'
import type { Task } from '../model/task.ts'
import type { RunState } from './state.ts'

/** A landed task and the change that its landing made. */
export interface LandedTask {
  readonly task: Task
  readonly change: Pick<LineChange, 'files'>
}

/**
 * Lists the landed tasks that rest on one, newest first: those after it, and those that later changed a file that it
 * changed; and the tasks that rest on them. `later` landed after it, newest first.
 */
export function restingOn(
  first: LandedTask,
  later: readonly LandedTask[],
  taskOf: (id: TaskId) => Task | undefined,
): readonly Dependent[] {
  const resting: Dependent[] = []
  const reverted: LandedTask[] = [first]
  for (const landed of later.toReversed()) {
    const dependent = findDependency(landed, reverted, taskOf)
    if (dependent === null) continue
    resting.unshift(dependent)
    reverted.push(landed)
  }
  return resting
}

function findDependency(
  { task, change }: LandedTask,
  reverted: readonly LandedTask[],
  taskOf: (id: TaskId) => Task | undefined,
): Dependent | null {
  const before = reverted.find((other) => isAfterIn(taskOf, task.id, other.task.id))
  if (before !== undefined) return { task: task.id, on: before.task.id, files: [] }
  for (const other of reverted) {
    const files = change.files.filter((file) => other.change.files.includes(file))
    if (files.length > 0) return { task: task.id, on: other.task.id, files }
  }
  return null
}

/** True when a task of a run comes after another one, directly or through other tasks; milestones do not count. */
export function isAfter({ tasks }: RunState, task: TaskId, before: TaskId): boolean {
  return isAfterIn((id) => tasks.get(id)?.task, task, before)
}

function isAfterIn(taskOf: (id: TaskId) => Task | undefined, task: TaskId, before: TaskId): boolean {
  const seen = new Set<TaskId>()
  const open: TaskId[] = [...(taskOf(task)?.after ?? [])]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === before) return true
    if (seen.has(id)) continue
    seen.add(id)
    open.push(...(taskOf(id)?.after ?? []))
  }
  return false
}
