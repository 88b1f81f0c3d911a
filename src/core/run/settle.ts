import { retryHint } from '../attempt/ask-person.ts'
import { knowledgeFor } from '../knowledge/knowledge-for.ts'
import { credentialOf } from '../limits/credential.ts'
import { attemptIdOf, type Commit, type TaskId } from '../model/ids.ts'
import type { Moment } from '../model/input.ts'
import type { RunEvent } from '../model/run-event.ts'
import { retryBrief } from '../prompts/retry-brief.ts'
import { allowanceFor } from './allowance.ts'
import { attemptLimits } from './attempt-limits.ts'
import { needsBaseline } from './effects-due.ts'
import {
  type AttemptRecord,
  attemptOf,
  type LastAttempt,
  type RunState,
  settingsOf,
  type TaskRecord,
  taskOf,
} from './state.ts'

/** Returns the next step that a driven run takes by itself, or nothing once it has settled. */
export function settleRun(state: RunState, moment: Moment): readonly RunEvent[] {
  if (state.settings === null || state.endedAt !== null) return []
  const cleared = clearLimit(state, moment)
  if (cleared !== null) return [cleared]
  if (canStart(state)) {
    const resumed = resume(state, moment)
    if (resumed !== null) return [resumed]
    const started = start(state, moment)
    if (started !== null) return [started]
  }
  const ended = end(state)
  return ended === null ? [] : [ended]
}

/** Returns the next time at which the run needs a tick, or null. */
export function runWakesAt(state: RunState, after: number): number | null {
  const times: number[] = []
  for (const { until } of state.limits.values()) times.push(until)
  for (const attempt of state.pending) {
    const wait = state.attempts.get(attempt)?.wait
    if (wait?.kind === 'retry') times.push(wait.until)
  }
  if (state.targetHeld !== null) times.push(state.targetHeld.until)
  const ahead = times.filter((time) => time > after)
  return ahead.length === 0 ? null : Math.min(...ahead)
}

/** Returns the maximum number of attempts that may work in parallel. */
export function slotsMax(state: RunState): number {
  const { parallel, coding, total } = settingsOf(state).limits
  return Math.min(parallel, coding, total)
}

/** Counts the attempts that hold a slot. */
function slotsUsed(state: RunState): number {
  let used = 0
  for (const attempt of state.working) if (attemptOf(state, attempt).holdsSlot) used += 1
  return used
}

function canStart(state: RunState): boolean {
  const isOpen = state.line !== null && state.lineHeld === null && state.pausedAt === null
  return isOpen && !needsBaseline(state) && slotsUsed(state) < slotsMax(state)
}

function clearLimit(state: RunState, { at }: Moment): RunEvent | null {
  for (const [credential, { until, estimated }] of state.limits) {
    if (until <= at)
      return {
        kind: 'limit-cleared',
        credential,
        reason: estimated ? 'the estimated wait is over' : 'its reset time has passed',
      }
  }
  return null
}

function resume(state: RunState, { at }: Moment): RunEvent | null {
  for (const id of state.pending) {
    const record = attemptOf(state, id)
    const reason = resumeReason(state, record, at)
    if (reason !== null) return { kind: 'attempt-resumed', attempt: id, stretch: record.stretch + 1, reason }
  }
  return null
}

function resumeReason(
  state: RunState,
  { standing, wait, credential, reason }: AttemptRecord,
  at: number,
): string | null {
  if (state.limits.has(credential)) return null
  if (standing === 'returned') return `${reason}; a slot is free`
  if (wait?.kind === 'pause') return 'the run was resumed'
  if (wait?.kind === 'limit') return 'the usage limit was lifted'
  return wait?.kind === 'retry' && wait.until <= at ? 'the wait after an error is over' : null
}

function start(state: RunState, { at }: Moment): RunEvent | null {
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

function end(state: RunState): RunEvent | null {
  const { counts } = state
  const open = counts.waiting + counts.ready + counts.running + counts.landing + counts.parked + counts['needs-person']
  const isBusy =
    open > 0 ||
    state.unsummarized.size > 0 ||
    state.attempts.size > 0 ||
    state.landings.length > 0 ||
    state.tasks.size === 0
  if (isBusy || isBehind(state)) return null
  const failed = counts.failed + counts.blocked
  const reason = failed === 0 ? successText(counts) : failureText(counts)
  return { kind: 'run-ended', done: counts.done, failed, reason }
}

function failureText({ failed, blocked }: RunState['counts']): string {
  const tasks = failed === 1 ? '1 task failed' : `${failed} tasks failed`
  return blocked === 0 ? tasks : `${tasks}, ${blocked} blocked by failed tasks`
}

function successText({ skipped }: RunState['counts']): string {
  return skipped === 0 ? 'every task is done' : `every task is done, ${skipped} skipped`
}

/** True while the target branch has to be updated or retried; an unread landing line may be ahead of it. */
function isBehind({ line, targetHeld, counts }: RunState): boolean {
  if (line === null) return counts.done > 0
  return line.line !== line.target && (targetHeld === null || targetHeld.tries < 2)
}
