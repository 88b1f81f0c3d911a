import type { Moment } from '../model/input.ts'
import type { RunEvent } from '../model/run-event.ts'
import { needsBaseline } from './effects-due.ts'
import { slotsMax, slotsUsed } from './slots.ts'
import { startNextTask } from './start-next-task.ts'
import { type AttemptRecord, attemptOf, type RunState } from './state.ts'

/** Returns the next step that a driven run takes by itself, or nothing once it has settled. */
export function settleRun(state: RunState, moment: Moment): readonly RunEvent[] {
  if (state.settings === null || state.endedAt !== null) return []
  const cleared = clearLimit(state, moment)
  if (cleared !== null) return [cleared]
  if (canStart(state)) {
    const resumed = resume(state, moment)
    if (resumed !== null) return [resumed]
    const started = startNextTask(state, moment.at)
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
  if (failed === 0) return `${blocked === 1 ? '1 task is' : `${blocked} tasks are`} blocked by reverted tasks`
  const tasks = failed === 1 ? '1 task failed' : `${failed} tasks failed`
  return blocked === 0 ? tasks : `${tasks}, ${blocked} blocked by failed tasks`
}

function successText({ skipped, reverted }: RunState['counts']): string {
  const exceptions = [skipped === 0 ? '' : `, ${skipped} skipped`, reverted === 0 ? '' : `, ${reverted} reverted`]
  return `every task is done${exceptions.join('')}`
}

/** True while the target branch has to be updated or retried; an unread landing line may be ahead of it. */
function isBehind({ line, targetHeld, counts }: RunState): boolean {
  if (line === null) return counts.done + counts.reverted > 0
  return line.line !== line.target && (targetHeld === null || targetHeld.tries < 2)
}
