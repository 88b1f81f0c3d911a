import type { TaskId } from '../model/ids.ts'
import type { CarriedTask, RecoveredTask } from '../model/landed-work.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Task } from '../model/task.ts'
import { addTotals, NO_TOTALS } from '../model/usage.ts'
import { addMilestone, addTask, changeTask, setStatus } from '../schedule/graph.ts'
import { tasksAfterMilestone } from '../schedule/graph-queries.ts'
import { countInMilestone, evolveSummary } from './milestone-progress.ts'
import { sendMessage } from './queues.ts'
import { attemptNumber } from './recover-tasks.ts'
import { attemptOf, type RunState, taskOf } from './state.ts'
import { updateTaskStandings } from './update-standing.ts'

type BacklogFact = Extract<
  RunEvent,
  {
    kind:
      | 'milestone-added'
      | 'milestone-changed'
      | 'milestone-summarized'
      | 'task-added'
      | 'task-carried-over'
      | 'task-recovered'
      | 'task-changed'
      | 'task-held'
      | 'task-failed'
      | 'task-skipped'
      | 'task-steered'
      | 'task-reopened'
  }
>

/** Folds a fact about milestones and tasks into a run's state. */
export function evolveBacklog(state: RunState, event: BacklogFact): void {
  switch (event.kind) {
    case 'milestone-added':
      state.milestones.set(event.milestone.id, event.milestone)
      updateTaskStandings(state, addMilestone(state.graph, event.milestone))
      return
    case 'milestone-changed':
      state.milestones.set(event.milestone.id, event.milestone)
      return
    case 'task-added':
      add(state, event.task, event.attemptsBefore)
      return
    case 'task-carried-over':
      carryOver(state, event)
      return
    case 'task-recovered':
      recover(state, event)
      return
    case 'task-changed': {
      const record = taskOf(state, event.task.id)
      const touched = changeTask(state.graph, record.task, event.task)
      countInMilestone(state, record.task.milestone, record.standing, null)
      countInMilestone(state, event.task.milestone, null, record.standing)
      record.task = event.task
      updateTaskStandings(state, touched)
      return
    }
    case 'milestone-summarized':
      evolveSummary(state, event)
      state.totals = addTotals(state.totals, event.totals)
      updateTaskStandings(state, tasksAfterMilestone(state.graph, event.milestone))
      return
    case 'task-held':
      taskOf(state, event.task).verdict = { kind: 'held', reason: event.reason, hint: event.hint }
      updateTaskStandings(state, [event.task])
      return
    case 'task-failed':
      taskOf(state, event.task).verdict = { kind: 'failed', reason: event.reason, hint: '' }
      updateTaskStandings(state, setStatus(state.graph, event.task, 'failed'))
      return
    case 'task-skipped':
      taskOf(state, event.task).verdict = { kind: 'skipped', reason: event.reason, hint: '' }
      updateTaskStandings(state, setStatus(state.graph, event.task, 'satisfied'))
      return
    case 'task-steered':
      steer(state, event)
      return
    case 'task-reopened':
      reopen(state, event.task)
      return
  }
}

function add(state: RunState, task: Task, attemptsBefore: number): void {
  const touched = addTask(state.graph, task)
  state.proposals.delete(task.id)
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
    isRecovered: false,
    revert: null,
    verdict: null,
    steering: [],
    answers: [],
    alreadyGreen: [],
    totals: NO_TOTALS,
    activeMs: 0,
  })
  state.counts.waiting += 1
  countInMilestone(state, task.milestone, null, 'waiting')
  updateTaskStandings(state, touched)
}

/** Adds a task that has landed; its milestone and the tasks before it stay in its own run. */
function carryOver(state: RunState, { task, attemptsBefore, landed }: CarriedTask): void {
  add(state, { ...task, milestone: null, after: task.after.filter((id) => state.tasks.has(id)) }, attemptsBefore)
  taskOf(state, task.id).landed = landed
  updateTaskStandings(state, setStatus(state.graph, task.id, 'satisfied'))
}

function recover(state: RunState, { task, attempt, commit }: RecoveredTask): void {
  add(state, task, attemptNumber(attempt))
  Object.assign(taskOf(state, task.id), { landed: { attempt, commit, receipts: [] }, isRecovered: true })
  updateTaskStandings(state, setStatus(state.graph, task.id, 'satisfied'))
}

function steer(state: RunState, { task, number, text }: Extract<BacklogFact, { kind: 'task-steered' }>): void {
  const { steering, live } = taskOf(state, task)
  steering.push(text)
  if (live !== null) sendMessage(state, attemptOf(state, live), `steer:${number}`, { kind: 'steer', number, text })
}

function reopen(state: RunState, task: TaskId): void {
  const record = taskOf(state, task)
  record.verdict = null
  record.failures = 0
  record.activeMs = 0
  if (record.live !== null) state.reopening.add(task)
  updateTaskStandings(state, setStatus(state.graph, task, 'open'))
}
