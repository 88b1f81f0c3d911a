import { accepted, type Decision } from '../model/input.ts'
import type { RunEvent } from '../model/run-event.ts'
import { dependentsOf } from '../schedule/graph.ts'
import { refusal } from './refusal.ts'
import { standingText } from './standing-text.ts'
import type { RunState, TaskRecord } from './state.ts'

const ASKED = 'asked for by a person'

/** Lets nothing new start until a person resumes the run. */
export function decidePause(state: RunState): Decision<RunEvent> {
  if (state.endedAt !== null || state.id === null) {
    return refusal('nothing-to-pause', 'The run has ended, so there is nothing to pause.', 'See "longhaul status".')
  }
  return accepted(state.pausedAt === null ? [{ kind: 'run-paused', reason: ASKED }] : [])
}

/** Does without a task; an attempt at it is stopped, and its work kept. */
export function decideSkip(state: RunState, { task, standing, live }: TaskRecord): Decision<RunEvent> {
  if (standing === 'skipped') return accepted([])
  if (standing === 'done') {
    return refusal('task-done', `${task.id} is done.`, `"longhaul revert ${task.id}" undoes its work.`)
  }
  if (standing === 'landing') return landing(task.id, 'skipped')
  const reopened: RunEvent[] =
    state.endedAt === null ? [] : [{ kind: 'run-reopened', reason: `${task.id} is skipped by a person` }]
  const skipped: RunEvent = {
    kind: 'task-skipped',
    task: task.id,
    reason: 'skipped by a person',
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

/** Takes down what a person wants the agent of a task to know. */
export function decideSteer({ task, standing, steering }: TaskRecord, text: string): Decision<RunEvent> {
  if (text.trim() === '') {
    return refusal('text-empty', `There is nothing in the text for ${task.id}.`, 'Say what the agent should know.')
  }
  if (standing === 'done' || standing === 'skipped') {
    const hint = 'Put what is still wanted into a task of its own: longhaul add ID --title TEXT'
    return refusal('nobody-to-steer', `${task.id} ${standingText(standing)}, so no agent will work on it again.`, hint)
  }
  if (standing === 'landing') return landing(task.id, 'steered')
  return accepted([{ kind: 'task-steered', task: task.id, number: steering.length + 1, text }])
}

function landing(task: string, what: string): Decision<never> {
  return refusal(
    'task-landing',
    `${task} is landing and cannot be ${what} now.`,
    `Wait for it, then "longhaul revert ${task}" undoes it.`,
  )
}
