import type { AttemptId, Commit, TaskId } from '../model/ids.ts'
import { accepted, type Decision, type Request } from '../model/input.ts'
import type { LineLanding, RecoveredTask } from '../model/landed-work.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { RunState } from './state.ts'

/** Finds the tasks whose work a landing line has, from its commits, newest first; reverted work does not count. */
export function recoverTasks(landings: readonly LineLanding[]): readonly RecoveredTask[] {
  const reverted = new Set<Commit>()
  const recovered = new Map<TaskId, RecoveredTask>()
  const decided = new Set<TaskId>()
  for (const { commit, task, attempt, reverts, subject } of landings) {
    if (reverts !== null) reverted.add(reverts)
    else if (task !== null && attempt !== null && !decided.has(task)) {
      decided.add(task)
      if (!reverted.has(commit)) recovered.set(task, { task: plainTask(task, subject), attempt, commit })
    }
  }
  return [...recovered.values()].reverse()
}

/** Adds tasks whose work has landed according to git; those that the run knows stay as they are. */
export function decideRecovery(
  state: RunState,
  { tasks }: Extract<Request, { kind: 'recover-tasks' }>,
): Decision<RunEvent> {
  const missing = tasks.filter(({ task }) => !state.tasks.has(task.id))
  return accepted(missing.map((recovered) => ({ kind: 'task-recovered', ...recovered })))
}

/** Returns the number in an attempt's name. */
export function attemptNumber(attempt: AttemptId): number {
  return Number(/-a(\d+)$/.exec(attempt)?.[1] ?? 0)
}

// The subject of a landed commit starts with the id.
function plainTask(id: TaskId, subject: string): RecoveredTask['task'] {
  const title = subject.startsWith(`${id}: `) ? subject.slice(id.length + 2) : subject
  const nothing = { acceptance: [], verify: [], files: [], mayChange: [] }
  return { id, title, brief: '', after: [], weight: 'small', type: null, milestone: null, priority: 0, ...nothing }
}
