import { taskKind, withSample } from '../limits/samples.ts'
import type { LandingId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import { addTotals } from '../model/usage.ts'
import { enqueue, sendMessage } from './queues.ts'
import { attemptOf, type RunState, taskOf } from './state.ts'
import { updateAttemptStanding, updateTaskStandings } from './update-standing.ts'

type AttemptFact = Extract<
  RunEvent,
  {
    kind:
      | 'attempt-started'
      | 'attempt-waiting'
      | 'attempt-answered'
      | 'attempt-resumed'
      | 'attempt-ready'
      | 'attempt-stopping'
      | 'attempt-notified'
      | 'attempt-ended'
      | 'verify-already-green'
  }
>

/** Folds a fact about a live attempt into a run's state. */
export function evolveAttemptRecord(state: RunState, event: AttemptFact, at: number): void {
  if (event.kind === 'attempt-started') start(state, event, at)
  else if (event.kind === 'attempt-ended') end(state, event)
  else change(state, event)
}

function change(state: RunState, event: Exclude<AttemptFact, { kind: 'attempt-started' | 'attempt-ended' }>): void {
  const record = attemptOf(state, event.attempt)
  switch (event.kind) {
    case 'attempt-waiting':
      Object.assign(record, { standing: 'waiting', seq: event.seq, wait: event.for, reason: event.reason })
      record.holdsSlot = false
      // The agent of a phase may sign in differently from the attempt's own.
      if (event.for.kind === 'limit') record.credential = event.for.credential
      break
    case 'verify-already-green':
      record.seq = event.seq
      taskOf(state, event.task).alreadyGreen = event.commands
      break
    case 'attempt-answered':
      if (event.answer.kind === 'approved' && record.wait?.kind === 'person') {
        for (const key of record.wait.allows) record.allowed.add(key)
      }
      if (event.answer.text !== '') taskOf(state, record.task).answers.push(event.answer)
      Object.assign(record, { standing: 'returned', wait: null, reason: event.reason })
      // A stretch asks at most once, so its number identifies the answer.
      sendMessage(state, record, `answer:${record.stretch}`, { kind: 'answer', answer: event.answer })
      break
    case 'attempt-resumed':
      Object.assign(record, { standing: 'working', stretch: event.stretch, wait: null, reason: event.reason })
      record.holdsSlot = true
      sendMessage(state, record, `resume:${event.stretch}`, {
        kind: 'resume',
        stretch: event.stretch,
        why: event.reason,
      })
      break
    case 'attempt-ready':
      record.standing = 'ready'
      record.holdsSlot = false
      record.seq = event.seq
      record.commit = event.commit
      record.tree = event.tree
      enqueue(state, record.attempt as string as LandingId, {
        kind: 'attempt',
        attempt: record.attempt,
        commit: event.commit,
      })
      break
    case 'attempt-stopping': {
      record.standing = 'closing'
      const { cause, reason } = event
      sendMessage(state, record, 'stop', { kind: 'stop', cause, reason })
      break
    }
    case 'attempt-notified':
      record.seq = event.seq
      state.messages.delete(event.id)
      break
  }
  updateAttemptStanding(state, record.attempt)
}

function start(state: RunState, event: Extract<AttemptFact, { kind: 'attempt-started' }>, at: number): void {
  const [task] = event.tasks
  if (task === undefined) throw new Error('an attempt carries exactly one task')
  const record = taskOf(state, task)
  record.started += 1
  record.live = event.attempt
  state.attempts.set(event.attempt, {
    attempt: event.attempt,
    task,
    number: event.number,
    base: event.base,
    allowance: event.allowance,
    retryBrief: event.retryBrief,
    knowledge: event.knowledge,
    limits: event.limits,
    credential: event.credential,
    startedAt: at,
    standing: 'working',
    holdsSlot: true,
    stretch: 1,
    seq: 0,
    wait: null,
    reason: event.reason,
    commit: null,
    tree: null,
    allowed: new Set(),
  })
  for (const [index, text] of record.steering.entries()) {
    const number = index + 1
    sendMessage(state, attemptOf(state, event.attempt), `steer:${number}`, { kind: 'steer', number, text })
  }
  updateAttemptStanding(state, event.attempt)
}

function end(state: RunState, event: Extract<AttemptFact, { kind: 'attempt-ended' }>): void {
  const attempt = attemptOf(state, event.attempt)
  const record = taskOf(state, attempt.task)
  record.totals = addTotals(record.totals, event.totals)
  state.totals = addTotals(state.totals, event.totals)
  record.activeMs += event.activeMs
  if (event.outcome === 'landed' && event.longest !== null) {
    state.samples = withSample(state.samples, taskKind(record.task), event.longest)
  }
  if (event.outcome === 'failed') record.failures += 1
  const { outcome, cause, reason, phase, note, commit, findings } = event
  record.last = { attempt: event.attempt, outcome, cause, reason, phase, note, commit, findings }
  record.live = null
  state.reopening.delete(attempt.task)
  state.attempts.delete(event.attempt)
  for (const [id, entry] of state.messages) if (entry.attempt === event.attempt) state.messages.delete(id)
  const queued = state.landings.findIndex((landing) => landing.id === (event.attempt as string))
  if (queued >= 0) state.landings.splice(queued, 1)
  updateAttemptStanding(state, event.attempt)
  updateTaskStandings(state, [attempt.task])
}
