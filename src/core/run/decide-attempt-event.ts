import { durationText } from '../limits/duration-text.ts'
import { BUDGET_WARNINGS } from '../limits/limits.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { AttemptId, TaskId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Totals } from '../model/usage.ts'
import { budgetKey } from './budget-key.ts'
import { type AttemptRecord, type RunState, settingsOf, spentOn, taskOf } from './state.ts'

/** Copies a fact of an attempt's ledger into the run, unless the run has seen it. */
export function decideAttemptEvent(
  state: RunState,
  attempt: AttemptId,
  seq: number,
  event: AttemptEvent,
): readonly RunEvent[] {
  const record = state.attempts.get(attempt)
  if (record === undefined || seq <= record.seq) return []
  switch (event.kind) {
    case 'attempt-waiting':
      // A closing attempt no longer waits.
      if (record.standing === 'closing') return limitHit(state, event)
      return [
        { kind: 'attempt-waiting', attempt, seq, for: event.for, reason: event.reason },
        ...limitHit(state, event),
      ]
    case 'ready-to-land':
      if (record.standing === 'closing') return []
      return [{ kind: 'attempt-ready', attempt, seq, commit: event.commit, tree: event.tree }]
    case 'task-proposed':
      return isDecided(state, event.proposal.id) ? [] : [{ kind: event.kind, attempt, seq, proposal: event.proposal }]
    case 'verify-tried': {
      const { alreadyGreen: commands } = event
      return commands.length === 0 ? [] : [{ kind: 'verify-already-green', attempt, seq, task: record.task, commands }]
    }
    case 'knowledge-recorded':
      return [{ kind: event.kind, attempt, seq, knowledge: event.knowledge }]
    case 'message-received':
      return [{ kind: 'attempt-notified', attempt, seq, id: event.id }]
    case 'attempt-ended': {
      return [
        { ...event, attempt, seq },
        ...afterEnd(state, record, event),
        ...budgetsCrossed(state, record, event.totals),
      ]
    }
    default:
      return []
  }
}

function limitHit(
  state: RunState,
  { for: wait }: Extract<AttemptEvent, { kind: 'attempt-waiting' }>,
): readonly RunEvent[] {
  if (wait.kind !== 'limit') return []
  const known = state.limits.get(wait.credential)
  if (known !== undefined && known.until >= wait.until) return []
  return [{ kind: 'limit-hit', credential: wait.credential, until: wait.until, estimated: wait.estimated }]
}

/** Fails the task when a retry is pointless or its attempts or time are used up; otherwise it is retried automatically. */
function afterEnd(
  state: RunState,
  { task }: AttemptRecord,
  { outcome, cause, reason, activeMs }: Extract<AttemptEvent, { kind: 'attempt-ended' }>,
): readonly RunEvent[] {
  if (outcome === 'landed' || taskOf(state, task).verdict?.kind === 'skipped') return []
  if (outcome === 'abandoned') {
    return state.reopening.has(task) ? [] : [{ kind: 'task-failed', task, reason }]
  }
  if (cause === 'setup' || cause === 'config') return [{ kind: 'task-failed', task, reason }]
  const record = taskOf(state, task)
  const { taskMs } = settingsOf(state).time
  if (record.activeMs + activeMs >= taskMs) {
    const used = `time limit of ${durationText(taskMs)} used up in ${record.started} attempts; the last one: ${reason}`
    return [{ kind: 'task-failed', task, reason: used }]
  }
  const failures = record.failures + 1
  const { attempts } = settingsOf(state).limits
  return failures < attempts
    ? []
    : [{ kind: 'task-failed', task, reason: `${failures} of ${attempts} attempts failed; the last one: ${reason}` }]
}

function budgetsCrossed(state: RunState, { task }: AttemptRecord, totals: Totals): readonly RunEvent[] {
  const { taskUsd, runUsd, dayUsd } = settingsOf(state).budget
  const day = Object.keys(totals.usdByDay).sort().at(-1)
  const today = day === undefined ? 0 : spentOn(state, day) + (totals.usdByDay[day] ?? 0)
  const ofTask = taskOf(state, task).totals.usd + totals.usd
  return [
    ...crossed(state, { budget: 'task', task }, taskUsd, ofTask),
    ...crossed(state, { budget: 'run', task: null }, runUsd, state.totals.usd + totals.usd),
    ...crossed(state, { budget: 'day', task: null }, dayUsd, today),
  ]
}

type Crossed = Extract<RunEvent, { kind: 'budget-crossed' }>

function crossed(
  state: RunState,
  budget: Pick<Crossed, 'budget' | 'task'>,
  limitUsd: number | null,
  usd: number,
): readonly RunEvent[] {
  if (limitUsd === null || limitUsd === 0) return []
  const share = BUDGET_WARNINGS.filter((share) => usd >= share * limitUsd).at(-1)
  if (share === undefined) return []
  const fact: Crossed = { kind: 'budget-crossed', ...budget, share, usd, limitUsd }
  return state.budgetWarnings.has(budgetKey(fact)) ? [] : [fact]
}

/** True for a proposal that exists as a task or was declined. */
function isDecided({ tasks, declined }: RunState, proposed: TaskId): boolean {
  return tasks.has(proposed) || declined.has(proposed)
}
