import { retryHint } from '../attempt/ask-person.ts'
import { knowledgeFor } from '../knowledge/knowledge-for.ts'
import { credentialOf } from '../limits/credential.ts'
import { attemptIdOf, type Commit, type TaskId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import { retryBrief } from '../prompts/retry-brief.ts'
import { allowanceFor } from './allowance.ts'
import { attemptLimits } from './attempt-limits.ts'
import { slotsMax, slotsUsed } from './slots.ts'
import { type LastAttempt, type RunState, settingsOf, type TaskRecord, taskOf } from './state.ts'

/** Starts the next ready task, holds it when its budget is spent, or returns null when nothing can start now. */
export function startNextTask(state: RunState, at: number): RunEvent | null {
  const credential = credentialOf(settingsOf(state).agent)
  if (state.limits.has(credential)) return null
  const task = state.ready.next(state.graph, (id) => state.tasks.get(id))
  if (task === null || state.line === null) return null
  const record = taskOf(state, task)
  const grant = allowanceFor(state, record, at)
  if (grant.kind === 'spent' && grant.budget === 'task') {
    return {
      kind: 'task-held',
      task,
      reason: grant.reason,
      hint: retryHint('Raise budget.task_usd in longhaul.yaml', [record.task]),
    }
  }
  if (grant.kind !== 'granted') return null
  const number = record.attemptsBefore + record.started + 1
  return {
    kind: 'attempt-started',
    attempt: attemptIdOf(task, number),
    tasks: [task],
    number,
    base: baseFor(record.last, state.line.line),
    allowance: grant.allowance,
    retryBrief: retryBriefFor(record),
    knowledge: knowledgeFor(state.knowledge, record.task),
    limits: attemptLimits(state, record),
    credential,
    reason: startReason(state, record),
  }
}

/** Starts from the landing line after a rejected approach, and from the last attempt's work after anything else. */
function baseFor(last: LastAttempt | null, line: Commit): Commit {
  if (last === null || last.commit === null || REJECTED.has(last.cause)) return line
  return last.commit
}

const REJECTED: ReadonlySet<LastAttempt['cause']> = new Set(['checks', 'conflict', 'no-progress', 'refused'])

/** Builds the next attempt's brief about the one before it, or null for the first attempt. */
export function retryBriefFor({ last, answers }: Pick<TaskRecord, 'last' | 'answers'>): string | null {
  return last === null ? null : retryBrief(last, answers)
}

function startReason(state: RunState, record: TaskRecord): string {
  const slot = `slot ${slotsUsed(state) + 1} of ${slotsMax(state)}`
  if (record.last !== null) return `${slot} (retry after ${record.last.attempt}: ${record.last.reason})`
  const { after, milestone } = record.task
  if (after.length > 0) return `${slot} (${dependenciesText(state, after)})`
  return milestone === null ? `${slot} (no dependencies)` : `${slot} (milestone ${milestone} has started)`
}

function dependenciesText(state: RunState, after: readonly TaskId[]): string {
  const isSkipped = (task: TaskId) => taskOf(state, task).landed === null
  const skipped = after.filter(isSkipped)
  const landed = after.filter((task) => !isSkipped(task))
  return [
    ...(landed.length === 0 ? [] : [`${list(landed)} landed`]),
    ...(skipped.length === 0 ? [] : [`${list(skipped)} skipped`]),
  ].join(', ')
}

function list(tasks: readonly TaskId[]): string {
  return tasks.length <= 3 ? tasks.join(', ') : `${tasks.slice(0, 3).join(', ')} and ${tasks.length - 3} more`
}
