import type { Commit, LandingId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Receipt } from '../model/verdict.ts'
import { setStatus } from '../schedule/graph.ts'
import { dequeue, enqueue, landingOf, revertLandingId, SYNC_LANDING, sendMessage } from './queues.ts'
import { attemptOf, type RunState, taskOf } from './state.ts'
import { updateAttemptStanding, updateTaskStandings } from './update-standing.ts'

type LandingFact = Extract<
  RunEvent,
  {
    kind:
      | 'line-opened'
      | 'baseline-checked'
      | 'candidate-prepared'
      | 'candidate-checked'
      | 'candidate-refused'
      | 'landed'
      | 'landing-held'
      | 'target-followed'
      | 'sync-requested'
      | 'synced'
      | 'revert-requested'
      | 'reverted'
      | 'revert-refused'
  }
>

/** Folds a fact about the landing line or the target branch into a run's state. */
export function evolveLanding(state: RunState, event: LandingFact): void {
  switch (event.kind) {
    case 'line-opened':
      state.line = { line: event.line, target: event.target }
      state.lineTree = event.tree
      return
    case 'baseline-checked':
      state.baseline = {
        passed: event.passed,
        findings: event.findings,
        isDead: event.receipts.some(({ canary }) => canary === 'dead'),
      }
      keepCanaries(state, event.receipts)
      return
    case 'candidate-prepared': {
      const { line, base, commit, tree, target } = event
      landingOf(state, event.landing).candidate = { line, base, commit, tree, target }
      return
    }
    case 'candidate-checked':
      landingOf(state, event.landing).receipts = event.receipts
      keepCanaries(state, event.receipts)
      return
    case 'candidate-refused':
      refuse(state, event)
      return
    case 'landed':
      land(state, event)
      return
    case 'landing-held':
      state.lineHeld = { reason: event.reason, hint: event.hint }
      return
    case 'target-followed':
      if (state.line !== null) state.line = { line: state.line.line, target: event.commit }
      state.targetHeld = null
      return
    case 'revert-requested': {
      const record = taskOf(state, event.task)
      const commit = record.landed?.commit
      if (commit === undefined) throw new Error(`${event.task} has not landed`)
      record.revert = { kind: 'pending', root: event.root ?? event.task }
      enqueue(state, revertLandingId(event.task), { kind: 'revert', task: event.task, commit })
      return
    }
    case 'sync-requested':
      enqueue(state, SYNC_LANDING, { kind: 'sync', commit: event.line })
      return
    case 'synced':
      moveLine(state, SYNC_LANDING, event.commit)
      return
    case 'reverted': {
      moveLine(state, revertLandingId(event.task), event.commit)
      const record = taskOf(state, event.task)
      record.landed = null
      record.last = null
      record.revert = null
      record.verdict = { kind: 'reverted', reason: `reverted by ${event.commit.slice(0, 10)}`, hint: '' }
      // Tasks after it cannot start without its work: they are blocked until it is retried or skipped.
      updateTaskStandings(state, setStatus(state.graph, event.task, 'failed'))
      return
    }
    case 'revert-refused':
      dequeue(state, revertLandingId(event.task))
      taskOf(state, event.task).revert = { kind: 'refused', reason: event.reason }
      return
  }
}

function land(state: RunState, event: Extract<LandingFact, { kind: 'landed' }>): void {
  moveLine(state, event.attempt as string as LandingId, event.commit)
  const attempt = attemptOf(state, event.attempt)
  attempt.standing = 'closing'
  sendMessage(state, attempt, 'landed', { kind: 'landed', commit: event.commit })
  for (const task of event.tasks) {
    taskOf(state, task).landed = { attempt: event.attempt, commit: event.commit, receipts: event.receipts }
    updateTaskStandings(state, setStatus(state.graph, task, 'satisfied'))
  }
  updateAttemptStanding(state, event.attempt)
}

function refuse(state: RunState, event: Extract<LandingFact, { kind: 'candidate-refused' }>): void {
  const landing = landingOf(state, event.landing)
  if (event.cause === 'stale') {
    Object.assign(landing, { candidate: null, receipts: null, stale: landing.stale + 1 })
    return
  }
  dequeue(state, event.landing)
  if (landing.subject.kind !== 'attempt') return
  const attempt = attemptOf(state, landing.subject.attempt)
  attempt.standing = event.cause === 'trouble' ? 'closing' : 'returned'
  attempt.reason = 'landing was refused'
  if (event.cause !== 'trouble') {
    const { cause, line, findings } = event
    sendMessage(state, attempt, `refused:${attempt.seq}`, { kind: 'landing-refused', cause, line, findings })
  }
  updateAttemptStanding(state, attempt.attempt)
}

function moveLine(state: RunState, id: LandingId, commit: Commit): void {
  const landing = landingOf(state, id)
  const target = landing.candidate?.target ?? state.line?.target ?? commit
  state.line = { line: commit, target }
  state.lineTree = landing.candidate?.tree ?? state.lineTree
  dequeue(state, id)
}

/** Remembers checks that can fail, by what they are made of; a dead one is tried again. */
function keepCanaries(state: RunState, receipts: readonly Receipt[]): void {
  for (const { definition, canary } of receipts) {
    if (definition !== null && canary !== null && canary !== 'dead') state.canaries.set(definition, canary)
  }
}
