import { TARGET_RETRY_MS } from '../limits/limits.ts'
import type { TaskId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Task } from '../model/task.ts'
import { addTotals, NO_TOTALS } from '../model/usage.ts'
import { addMilestone, addTask, changeTask, setStatus } from '../schedule/graph.ts'
import { evolveAttemptRecord } from './evolve-attempt-record.ts'
import { evolveLanding } from './evolve-landing.ts'
import { placeTasks } from './place.ts'
import { type RunState, taskOf } from './state.ts'

/** Takes one fact into a run's state. */
export function evolveRun(state: RunState, event: RunEvent, at: number): void {
  switch (event.kind) {
    case 'run-opened':
      state.id = event.run
      state.target = event.target
      state.spentBefore = event.spentBefore
      state.openedAt = at
      return
    case 'engine-started':
      state.startedAt ??= at
      state.lineHeld = null
      state.targetHeld = null
      return
    case 'settings-adopted':
      state.settings = event.values
      state.settingsDigest = event.digest
      return
    case 'milestone-added':
      state.milestones.set(event.milestone.id, event.milestone)
      placeTasks(state, addMilestone(state.graph, event.milestone))
      return
    case 'milestone-changed':
      state.milestones.set(event.milestone.id, event.milestone)
      return
    case 'task-added':
      add(state, event.task, event.attemptsBefore)
      return
    case 'task-changed': {
      const record = taskOf(state, event.task.id)
      const touched = changeTask(state.graph, record.task, event.task)
      record.task = event.task
      placeTasks(state, touched)
      return
    }
    case 'task-held':
      taskOf(state, event.task).verdict = { kind: 'held', reason: event.reason, hint: event.hint }
      placeTasks(state, [event.task])
      return
    case 'task-failed':
      taskOf(state, event.task).verdict = { kind: 'failed', reason: event.reason, hint: '' }
      placeTasks(state, setStatus(state.graph, event.task, 'failed'))
      return
    case 'task-reopened':
      reopen(state, event.task)
      return
    case 'limit-hit':
      state.limits.set(event.credential, { until: event.until, estimated: event.estimated })
      return
    case 'limit-cleared':
      state.limits.delete(event.credential)
      return
    case 'budget-crossed':
      state.budgetsTold.add(`${event.budget} ${event.share} ${event.limitUsd}`)
      return
    case 'run-ended':
      state.endedAt = at
      return
    case 'run-reopened':
      state.endedAt = null
      return
    case 'attempt-started':
    case 'attempt-waiting':
    case 'attempt-resumed':
    case 'attempt-ready':
    case 'attempt-stopping':
    case 'attempt-told':
      evolveAttemptRecord(state, event, at)
      return
    case 'attempt-ended':
      evolveAttemptRecord(state, event, at)
      state.totals = addTotals(state.totals, event.totals)
      return
    case 'target-held': {
      const tries = state.targetHeld?.commit === event.commit ? state.targetHeld.tries + 1 : 1
      const { commit, reason, command } = event
      state.targetHeld = { commit, reason, command, tries, until: at + TARGET_RETRY_MS * Math.min(tries, 10) }
      return
    }
    default:
      evolveLanding(state, event)
  }
}

function add(state: RunState, task: Task, attemptsBefore: number): void {
  const touched = addTask(state.graph, task)
  state.tasks.set(task.id, {
    task,
    order: state.tasks.size,
    attemptsBefore,
    standing: 'waiting',
    started: 0,
    failures: 0,
    live: null,
    last: null,
    landed: null,
    verdict: null,
    totals: NO_TOTALS,
  })
  state.counts.waiting += 1
  placeTasks(state, touched)
}

function reopen(state: RunState, task: TaskId): void {
  const record = taskOf(state, task)
  record.verdict = null
  record.failures = 0
  if (record.live !== null) state.reopening.add(task)
  placeTasks(state, setStatus(state.graph, task, 'open'))
}
