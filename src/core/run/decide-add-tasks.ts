import { accepted, type Decision, type Request, refused } from '../model/input.ts'
import { problem } from '../model/problem.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Milestone, Task } from '../model/task.ts'
import { backlogFaultText } from '../schedule/backlog-fault-text.ts'
import { checkBacklog } from '../schedule/check-backlog.ts'
import type { RunState, TaskRecord } from './state.ts'

type AddTasks = Extract<Request, { kind: 'add-tasks' }>

/** Adds tasks to an open run: unchanged ones are ignored, changed ones replace the old ones unless work has started. */
export function decideAddTasks(state: RunState, request: AddTasks): Decision<RunEvent> {
  return state.endedAt === null ? addTasks(state, request) : refused(runEnded(state))
}

/** Adds tasks to a run that is open or is being reopened. */
export function addTasks(state: RunState, { backlog, attemptsBefore }: Omit<AddTasks, 'kind'>): Decision<RunEvent> {
  const faults = faultsOf(state, backlog.milestones, backlog.tasks)
  if (faults !== null) return refused(faults)
  const events: RunEvent[] = []
  for (const milestone of backlog.milestones) {
    const known = state.milestones.get(milestone.id)
    if (known === undefined) events.push({ kind: 'milestone-added', milestone })
    else if (!isSame(known, milestone)) events.push({ kind: 'milestone-changed', milestone })
  }
  for (const task of backlog.tasks) {
    const known = state.tasks.get(task.id)
    if (known === undefined) events.push({ kind: 'task-added', task, attemptsBefore: attemptsBefore[task.id] ?? 0 })
    else if (!isSettled(known, task)) events.push({ kind: 'task-changed', task })
  }
  return accepted(events)
}

function runEnded(state: RunState) {
  const message = `Run ${state.id} has ended.`
  return problem({ code: 'run-ended', message, hint: 'Add the tasks to a new run.', retry: 'later' })
}

function faultsOf(state: RunState, milestones: readonly Milestone[], tasks: readonly Task[]) {
  const started = tasks.flatMap((task) => {
    const known = state.tasks.get(task.id)
    return known !== undefined && hasStarted(known) && !isSettled(known, task) ? [task.id] : []
  })
  if (started.length > 0) {
    const message = `${started.join(', ')} cannot be changed: work has started.`
    return problem({
      code: 'task-started',
      message,
      hint: 'Add the change as a new task with another id.',
      retry: 'never',
    })
  }
  const moved = milestones.find((one) => {
    const known = state.milestones.get(one.id)
    return known !== undefined && !isSame(known.after, one.after)
  })
  if (moved !== undefined) {
    const message = `The order of milestone ${moved.id} cannot be changed after it was added.`
    return problem({
      code: 'milestone-order',
      message,
      hint: 'Add a new milestone with another id.',
      retry: 'never',
    })
  }
  return graphFault(state, milestones, tasks)
}

function graphFault(state: RunState, milestones: readonly Milestone[], tasks: readonly Task[]) {
  const allTasks = new Map([...state.tasks].map(([id, record]) => [id, record.task]))
  for (const task of tasks) allTasks.set(task.id, task)
  const allMilestones = new Map(state.milestones)
  for (const milestone of milestones) allMilestones.set(milestone.id, milestone)
  const all = { milestones: [...allMilestones.values()], tasks: [...allTasks.values()] }
  const [fault] = checkBacklog(all, { tasks: new Set(), milestones: new Set() })
  if (fault === undefined) return null
  const { message, hint } = backlogFaultText(fault, {
    tasks: new Set(allTasks.keys()),
    milestones: new Set(allMilestones.keys()),
  })
  return problem({ code: 'backlog-fault', message, hint, retry: 'never' })
}

/** True when a task is as the run has it; what git alone knows to be done needs no definition. */
function isSettled(known: TaskRecord, task: Task): boolean {
  return known.isRecovered || isSame(known.task, task)
}

function hasStarted(record: TaskRecord): boolean {
  return record.started > 0 || record.landed !== null
}

/** Compares plain values from the same schema, whose keys have the same order. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
