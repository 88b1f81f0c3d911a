import type { AttemptId, TaskId } from '../../model/ids.ts'
import type { RunEvent } from '../../model/run-event.ts'
import type { Weight } from '../../model/task.ts'
import type { RunState } from '../../run/state.ts'

/** Working time of tasks, folded from a run's ledger; waits and times without an engine do not count. */
export interface Pace {
  readonly finished: { readonly weight: Weight; readonly ms: number }[]
  /** Time on tasks that have not landed, from completed stretches. */
  readonly worked: Map<TaskId, number>
  /** Attempts that are working, with the start of their stretch. */
  readonly active: Map<AttemptId, { readonly task: TaskId; readonly since: number }>
  readonly taskOf: Map<AttemptId, TaskId>
  lastAt: number
}

export function newPace(): Pace {
  return { finished: [], worked: new Map(), active: new Map(), taskOf: new Map(), lastAt: 0 }
}

/** Folds a fact into a run's pace. */
export function evolvePace(pace: Pace, event: RunEvent, at: number, { tasks }: Pick<RunState, 'tasks'>): void {
  switch (event.kind) {
    case 'engine-started':
      // Work stopped at the last fact of the engine that died.
      for (const [attempt, { task }] of Array.from(pace.active)) {
        pause(pace, attempt, pace.lastAt)
        pace.active.set(attempt, { task, since: at })
      }
      break
    case 'attempt-started':
      for (const task of event.tasks.slice(0, 1)) pace.taskOf.set(event.attempt, task)
      begin(pace, event.attempt, at)
      break
    case 'attempt-resumed':
      begin(pace, event.attempt, at)
      break
    case 'attempt-waiting':
      pause(pace, event.attempt, at)
      break
    case 'landed':
      pause(pace, event.attempt, at)
      for (const task of event.tasks) finish(pace, task, tasks.get(task)?.task.weight ?? 'small')
      break
    case 'attempt-ended':
      pause(pace, event.attempt, at)
      pace.taskOf.delete(event.attempt)
      break
    default:
      break
  }
  pace.lastAt = at
}

/** Returns the working time so far of a task that has not landed. */
export function workedMs(pace: Pace, task: TaskId, live: AttemptId | null, at: number): number {
  const stretch = live === null ? undefined : pace.active.get(live)
  return (pace.worked.get(task) ?? 0) + (stretch === undefined ? 0 : at - stretch.since)
}

function begin({ active, taskOf }: Pace, attempt: AttemptId, at: number): void {
  const task = taskOf.get(attempt)
  if (task !== undefined) active.set(attempt, { task, since: at })
}

function pause({ active, worked }: Pace, attempt: AttemptId, at: number): void {
  const stretch = active.get(attempt)
  if (stretch === undefined) return
  active.delete(attempt)
  worked.set(stretch.task, (worked.get(stretch.task) ?? 0) + at - stretch.since)
}

function finish({ finished, worked }: Pace, task: TaskId, weight: Weight): void {
  finished.push({ weight, ms: worked.get(task) ?? 0 })
  worked.delete(task)
}
