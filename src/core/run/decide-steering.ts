import { accepted, type Decision } from '../model/input.ts'
import type { RunEvent } from '../model/run-event.ts'
import { dependentsOf } from '../schedule/graph-queries.ts'
import { refusal } from './refusal.ts'
import { standingText } from './standing-text.ts'
import type { RunState, TaskRecord } from './state.ts'

/** Pauses the run: nothing new starts until the user resumes it. */
export function decidePause(state: RunState): Decision<RunEvent> {
  if (state.endedAt !== null || state.id === null) {
    return refusal('nothing-to-pause', 'The run has ended, so there is nothing to pause.', 'See "longhaul status".')
  }
  return accepted(state.pausedAt === null ? [{ kind: 'run-paused', reason: 'requested by the user' }] : [])
}

/** Skips a task; its attempt is stopped and its work kept. */
export function decideSkip(state: RunState, { task, standing, live }: TaskRecord): Decision<RunEvent> {
  if (standing === 'skipped') return accepted([])
  if (standing === 'done') {
    return refusal('task-done', `${task.id} is done.`, `To undo its work, run "longhaul revert ${task.id}".`)
  }
  if (standing === 'landing') return refuseWhileLanding(task.id, 'skipped')
  const reopened: RunEvent[] =
    state.endedAt === null ? [] : [{ kind: 'run-reopened', reason: `${task.id} was skipped by the user` }]
  const skipped: RunEvent = {
    kind: 'task-skipped',
    task: task.id,
    reason: 'skipped by the user',
    dependents: dependentsOf(state.graph, task.id),
  }
  const attempt = live === null ? undefined : state.attempts.get(live)
  if (attempt === undefined || attempt.standing === 'closing') return accepted([...reopened, skipped])
  const stopping: RunEvent = {
    kind: 'attempt-stopping',
    attempt: attempt.attempt,
    cause: 'stopped',
    reason: skipped.reason,
  }
  return accepted([...reopened, skipped, stopping])
}

/** Records a message of the user to the agent of a task. */
export function decideSteer({ task, standing, steering }: TaskRecord, text: string): Decision<RunEvent> {
  if (text.trim() === '') {
    return refusal('text-empty', `The text for ${task.id} is empty.`, 'Write what the agent should know.')
  }
  if (standing === 'done' || standing === 'skipped') {
    const hint = 'Add a new task for it: longhaul add ID --title TEXT'
    return refusal('nothing-to-steer', `${task.id} ${standingText(standing)}, so no agent will work on it again.`, hint)
  }
  if (standing === 'landing') return refuseWhileLanding(task.id, 'steered')
  return accepted([{ kind: 'task-steered', task: task.id, number: steering.length + 1, text }])
}

function refuseWhileLanding(task: string, verb: string): Decision<never> {
  return refusal(
    'task-landing',
    `${task} is landing and cannot be ${verb} now.`,
    `Wait until it has landed, then run "longhaul revert ${task}".`,
  )
}
