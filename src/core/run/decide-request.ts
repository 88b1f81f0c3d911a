import type { TaskId } from '../model/ids.ts'
import { accepted, type Decision, type Request, refused } from '../model/input.ts'
import type { RunEvent } from '../model/run-event.ts'
import { adoptSettings } from './adopt-settings.ts'
import { decideAddTasks } from './decide-add-tasks.ts'
import { decideAnswer } from './decide-answer.ts'
import { acceptProposal, declineProposal } from './decide-proposal.ts'
import { decideRevert } from './decide-revert.ts'
import { decidePause, decideSkip, decideSteer } from './decide-steering.ts'
import { firstBlocker } from './first-blocker.ts'
import { decideRecovery } from './recover-tasks.ts'
import { refusal } from './refusal.ts'
import { standingText } from './standing-text.ts'
import type { RunState, Standing, TaskRecord } from './state.ts'
import { unknownTask } from './unknown-task.ts'

/** Decides on a request of the user. */
export function decideRequest(state: RunState, request: Request): Decision<RunEvent> {
  switch (request.kind) {
    case 'open-run': {
      if (state.id !== null) return accepted([])
      return accepted([{ ...request, kind: 'run-opened' }])
    }
    case 'adopt-settings':
      return accepted(adoptSettings(state, request))
    case 'reject-settings':
      return accepted(state.settingsFault === request.reason ? [] : [{ ...request, kind: 'settings-rejected' }])
    case 'add-tasks':
      return decideAddTasks(state, request)
    case 'recover-tasks':
      return decideRecovery(state, request)
    case 'accept-proposal':
      return acceptProposal(state, request)
    case 'decline-proposal':
      return declineProposal(state, request)
    case 'retry':
      return withTask(state, request.task, (record) => retry(state, record))
    case 'stop-task':
      return withTask(state, request.task, (record) => stop(state, record))
    case 'revert':
      return decideRevert(state, request)
    case 'skip':
      return withTask(state, request.task, (record) => decideSkip(state, record))
    case 'steer':
      return withTask(state, request.task, (record) => decideSteer(record, request.text))
    case 'answer':
      return withTask(state, request.task, (record) => decideAnswer(state, record, request.answer))
    case 'pause':
      return decidePause(state)
    case 'resume':
      return accepted(state.pausedAt === null ? [] : [{ kind: 'run-resumed', reason: 'requested by the user' }])
    case 'stop-engine':
      return accepted([])
  }
}

function withTask(
  state: RunState,
  task: TaskId,
  decide: (record: TaskRecord) => Decision<RunEvent>,
): Decision<RunEvent> {
  const record = state.tasks.get(task)
  if (record !== undefined) return decide(record)
  return refused(unknownTask(task, `run ${state.id}`, state.tasks.keys()))
}

function retry(state: RunState, { task, standing, live }: TaskRecord): Decision<RunEvent> {
  const reason = 'retried by the user'
  const reopened: RunEvent[] =
    state.endedAt === null ? [] : [{ kind: 'run-reopened', reason: `${task.id} was ${reason}` }]
  if (RETRIED.has(standing) || (standing === 'needs-person' && live === null)) {
    return accepted([...reopened, { kind: 'task-reopened', task: task.id, reason }])
  }
  if (standing === 'needs-person' && live !== null) {
    const stopping: RunEvent = { kind: 'attempt-stopping', attempt: live, cause: 'stopped', reason }
    return accepted([{ kind: 'task-reopened', task: task.id, reason }, stopping])
  }
  if (standing === 'blocked') {
    const { name, text, hint } = firstBlocker(state, task.id)
    return refusal('task-blocked', `${task.id} is blocked by ${name}, which ${text}.`, hint)
  }
  if (standing === 'done') {
    return refusal('task-done', `${task.id} is done.`, `To redo it, run "longhaul revert ${task.id}" first.`)
  }
  return refusal(
    'task-not-failed',
    `${task.id} ${standingText(standing)}; only a task that failed, was skipped or reverted, or needs a person can be retried.`,
    `See "longhaul status".`,
  )
}

const RETRIED: ReadonlySet<Standing> = new Set(['failed', 'skipped', 'reverted'])

function stop(state: RunState, { task, standing, live }: TaskRecord): Decision<RunEvent> {
  const reason = 'stopped by the user'
  const attempt = live === null ? undefined : state.attempts.get(live)
  if (attempt !== undefined && ['working', 'waiting', 'returned'].includes(attempt.standing)) {
    return accepted([{ kind: 'attempt-stopping', attempt: attempt.attempt, cause: 'stopped', reason }])
  }
  if (standing === 'landing') {
    return refusal(
      'task-landing',
      `${task.id} is landing and cannot be stopped now.`,
      `Wait until it has landed, then run "longhaul revert ${task.id}".`,
    )
  }
  if (live === null && ['waiting', 'ready', 'needs-person'].includes(standing)) {
    return accepted([{ kind: 'task-failed', task: task.id, reason }])
  }
  return refusal(
    'task-ended',
    `${task.id} ${standingText(standing)}, so there is nothing to stop.`,
    'See "longhaul status".',
  )
}
