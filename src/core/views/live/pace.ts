import type { AttemptId, TaskId } from '../../model/ids.ts'
import type { RunEvent } from '../../model/run-event.ts'
import type { Weight } from '../../model/task.ts'
import type { RunState } from '../../run/state.ts'

/** How long tasks were worked on, folded from a run's ledger; waits and times without an engine are left out. */
export interface Pace {
  readonly finished: { readonly weight: Weight; readonly ms: number }[]
  /** Time on tasks that have not landed, from stretches that are over. */
  readonly worked: Map<TaskId, number>
  /** Attempts that are being worked on, and since when. */
  readonly going: Map<AttemptId, { readonly task: TaskId; readonly since: number }>
  readonly taskOf: Map<AttemptId, TaskId>
  lastAt: number
}

export function newPace(): Pace {
  return { finished: [], worked: new Map(), going: new Map(), taskOf: new Map(), lastAt: 0 }
}

/** Takes one fact into a run's pace. */
export function evolvePace(pace: Pace, event: RunEvent, at: number, { tasks }: Pick<RunState, 'tasks'>): void {
  switch (event.kind) {
    case 'engine-started':
      // What was going on stood still from the last fact of the engine that died.
      for (const [attempt, { task }] of Array.from(pace.going)) {
        pause(pace, attempt, pace.lastAt)
        pace.going.set(attempt, { task, since: at })
      }
      break
    case 'attempt-started':
      for (const task of event.tasks.slice(0, 1)) pace.taskOf.set(event.attempt, task)
      go(pace, event.attempt, at)
      break
    case 'attempt-resumed':
      go(pace, event.attempt, at)
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

/** How long a task that has not landed was worked on so far. */
export function workedMs(pace: Pace, task: TaskId, live: AttemptId | null, at: number): number {
  const going = live === null ? undefined : pace.going.get(live)
  return (pace.worked.get(task) ?? 0) + (going === undefined ? 0 : at - going.since)
}

function go({ going, taskOf }: Pace, attempt: AttemptId, at: number): void {
  const task = taskOf.get(attempt)
  if (task !== undefined) going.set(attempt, { task, since: at })
}

function pause({ going, worked }: Pace, attempt: AttemptId, at: number): void {
  const stretch = going.get(attempt)
  if (stretch === undefined) return
  going.delete(attempt)
  worked.set(stretch.task, (worked.get(stretch.task) ?? 0) + at - stretch.since)
}

function finish({ finished, worked }: Pace, task: TaskId, weight: Weight): void {
  finished.push({ weight, ms: worked.get(task) ?? 0 })
  worked.delete(task)
}
