import type { AttemptId, TaskId } from '../model/ids.ts'
import { isBlocked, isFree } from '../schedule/graph-queries.ts'
import { awaitsSummary, countInMilestone } from './milestone-progress.ts'
import { type AttemptRecord, type RunState, type Standing, type TaskRecord, taskOf } from './state.ts'

/** Updates the standings of changed tasks, and their indexes. */
export function updateTaskStandings(state: RunState, tasks: Iterable<TaskId>): void {
  for (const id of tasks) {
    const record = taskOf(state, id)
    const standing = standingOf(state, record)
    countInMilestone(state, record.task.milestone, record.standing, standing)
    state.counts[record.standing] -= 1
    state.counts[standing] += 1
    record.standing = standing
    if (standing === 'ready' && record.live === null) state.ready.add(id)
    else state.ready.delete(id)
  }
}

/** Updates the indexes of a changed attempt, and its task's standing. */
export function updateAttemptStanding(state: RunState, id: AttemptId): void {
  const record = state.attempts.get(id)
  const isWorking = record !== undefined && (record.standing === 'working' || record.standing === 'closing')
  setMember(state.working, id, isWorking)
  setMember(state.pending, id, record !== undefined && isPending(record))
  if (record !== undefined) updateTaskStandings(state, [record.task])
}

function setMember<T>(set: Set<T>, item: T, isMember: boolean): void {
  if (isMember) set.add(item)
  else set.delete(item)
}

function isPending(record: AttemptRecord): boolean {
  if (record.standing === 'returned') return true
  return record.standing === 'waiting' && record.wait !== null && record.wait.kind !== 'person'
}

function standingOf(state: RunState, record: TaskRecord): Standing {
  if (record.landed !== null) return 'done'
  if (record.verdict !== null && record.live === null)
    return record.verdict.kind === 'held' ? 'needs-person' : record.verdict.kind
  if (record.live !== null) return standingOfLive(state.attempts.get(record.live))
  if (isBlocked(state.graph, record.task.id)) return 'blocked'
  const mayStart = isFree(state.graph, record.task.id) && !awaitsSummary(state, record.task.milestone)
  return mayStart ? 'ready' : 'waiting'
}

function standingOfLive(attempt: AttemptRecord | undefined): Standing {
  if (attempt === undefined) throw new Error('a live attempt has no record')
  switch (attempt.standing) {
    case 'working':
    case 'closing':
      return 'running'
    case 'returned':
      return 'ready'
    case 'ready':
      return 'landing'
    case 'waiting':
      return attempt.wait?.kind === 'person' ? 'needs-person' : 'parked'
  }
}
