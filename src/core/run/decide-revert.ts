import type { TaskId } from '../model/ids.ts'
import { accepted, type Decision, type Request, refused } from '../model/input.ts'
import type { Dependent } from '../model/landed-work.ts'
import type { RunEvent } from '../model/run-event.ts'
import { isAfter } from './landed-dependents.ts'
import { revertLandingId } from './queues.ts'
import { refusal } from './refusal.ts'
import { standingText } from './standing-text.ts'
import type { RunState, TaskRecord } from './state.ts'
import { unknownTask } from './unknown-task.ts'

type RevertRequest = Extract<Request, { kind: 'revert' }>

/** Queues the revert of a landed task; with landed tasks that rest on it only as the user wants it. */
export function decideRevert(state: RunState, request: RevertRequest): Decision<RunEvent> {
  const { task, dependents } = request
  const record = state.tasks.get(task)
  const isCarried = request.carried.some((carried) => carried.task.id === task)
  if (record === undefined && !isCarried) return refused(unknownTask(task, `run ${state.id}`, state.tasks.keys()))
  if (record !== undefined && record.landed === null) return notLanded(record)
  if (isReverting(state, task)) {
    return refusal('revert-under-way', `${task} is already being reverted.`, 'See "longhaul status".')
  }
  if (dependents === 'keep') return accepted(requestReverts(state, request, []))
  const landing = [...state.tasks.values()].find(({ task: { id }, standing }) => {
    return standing === 'landing' && isAfter(state, id, task)
  })
  if (landing !== undefined) return refuseWhileDependentLands(task, landing.task.id)
  const resting = landedDependents(state, request)
  if (resting.length === 0 || dependents === 'revert') return accepted(requestReverts(state, request, resting))
  return refuseWithDependents(task, resting)
}

/** Lists the landed tasks that rest on a task, newest first; those that landed after the request was made come first. */
function landedDependents(state: RunState, { task, resting, carried }: RevertRequest): readonly Dependent[] {
  const known = new Set(resting.map((dependent) => dependent.task))
  const recent = [...state.tasks.values()]
    .filter(({ task: { id }, landed }) => landed !== null && !known.has(id) && isAfter(state, id, task))
    .map((record): Dependent => ({ task: record.task.id, on: task, files: [] }))
  const isLanded = ({ task: id }: Dependent) => {
    const record = state.tasks.get(id)
    return record === undefined ? carried.some((known) => known.task.id === id) : record.landed !== null
  }
  return [...lastFirst(state, recent), ...resting.filter(isLanded)].filter(
    (dependent) => !isReverting(state, dependent.task),
  )
}

/** Sorts tasks so that each comes before those that it is after. */
function lastFirst(state: RunState, dependents: readonly Dependent[]): readonly Dependent[] {
  const before = ({ task }: Dependent) => dependents.filter((other) => isAfter(state, task, other.task)).length
  return dependents.toSorted((one, other) => before(other) - before(one))
}

function requestReverts(
  state: RunState,
  { task, carried }: RevertRequest,
  dependents: readonly Dependent[],
): readonly RunEvent[] {
  const tasks = [...dependents.map((dependent) => dependent.task), task]
  const events: RunEvent[] = []
  if (state.endedAt !== null) events.push({ kind: 'run-reopened', reason: `revert of ${task} requested` })
  for (const known of carried) {
    if (tasks.includes(known.task.id) && !state.tasks.has(known.task.id))
      events.push({ kind: 'task-carried-over', ...known })
  }
  for (const id of tasks) {
    const reason = id === task ? 'requested by the user' : `it rests on ${task}`
    events.push({ kind: 'revert-requested', task: id, root: task, reason })
  }
  return events
}

function isReverting({ landings }: RunState, task: TaskId): boolean {
  return landings.some(({ id }) => id === revertLandingId(task))
}

function notLanded({ task: { id }, standing, verdict }: TaskRecord): Decision<never> {
  if (standing === 'reverted') {
    const hint = `To do it again: longhaul retry ${id}`
    return refusal('task-not-landed', `${id} is already ${verdict?.reason ?? 'reverted'}.`, hint)
  }
  const message = `${id} ${standingText(standing)} and has not landed.`
  return refusal('task-not-landed', message, 'Only landed work can be reverted.')
}

function refuseWhileDependentLands(task: TaskId, dependent: TaskId): Decision<never> {
  return refusal(
    'task-landing',
    `${task} was not reverted: ${dependent}, which rests on it, is landing now.`,
    `Wait until it has landed, then run "longhaul revert ${task}" again.`,
  )
}

function refuseWithDependents(task: TaskId, dependents: readonly Dependent[]): Decision<never> {
  const others = dependents.length === 1 ? 'a landed task rests' : `${dependents.length} landed tasks rest`
  return refusal(
    'revert-has-dependents',
    `${task} was not reverted: ${others} on it: ${dependents.map(dependentText).join('; ')}.`,
    `To revert all of them, newest first: longhaul revert ${task} --with-dependents. To revert only ${task}: longhaul revert ${task} --alone`,
  )
}

/** Explains why a task rests on another one. */
function dependentText({ task, on, files }: Dependent): string {
  if (files.length === 0) return `${task} (after ${on})`
  const [first, ...more] = files
  return `${task} (changed ${first}${more.length === 0 ? '' : ` and ${more.length} more`} after ${on})`
}
