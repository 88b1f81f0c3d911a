import type { Answer, AttemptEvent, Message, RoundCause } from '../model/attempt-event.ts'
import type { RoundEnd } from '../model/round.ts'
import { evolvePhase } from './evolve-phase.ts'
import { endSession, evolveSession, openSession } from './evolve-session.ts'
import { type AttemptState, type Doing, specOf } from './state.ts'
import { evolveSteering, requeueSteering } from './steering.ts'

/** Applies a fact to an attempt's state. */
export function evolveAttempt(state: AttemptState, event: AttemptEvent, at: number): void {
  switch (event.kind) {
    case 'attempt-opened':
      state.spec = event.spec
      state.phase = event.spec.workflow.phases[0]?.name ?? ''
      state.alreadyGreen = event.spec.alreadyGreen ?? []
      state.doing = { kind: 'workspace', commit: event.spec.base, after: { kind: 'between', next: { kind: 'brief' } } }
      return
    case 'workspace-made':
      state.workspaces += 1
      state.commit ??= event.commit
      if (state.doing.kind === 'workspace') state.doing = state.doing.after
      return
    case 'workspace-lost':
      if (state.doing.kind === 'round') requeueSteering(state, 'lost')
      state.doing = { kind: 'workspace', commit: event.commit, after: afterLoss(state.doing) }
      return
    case 'verify-requested':
    case 'verify-tried':
    case 'phase-entered':
    case 'phase-output':
    case 'round-requested':
    case 'work-reported':
    case 'work-submitted':
    case 'verdict-given':
    case 'opinion-requested':
    case 'opinion-given':
    case 'work-assessed':
    case 'work-returned':
    case 'ready-to-land':
      evolvePhase(state, event)
      return
    case 'round-started':
      startRound(state, event, at)
      return
    case 'steering-delivered':
    case 'steering-deferred':
      evolveSteering(state, event)
      return
    case 'round-ended':
      endRound(state, event.end, event.activeMs)
      return
    case 'checkpoint-made':
      save(state, event)
      return
    case 'attempt-waiting':
      state.doing = { kind: 'waiting', for: event.for, next: nextCause(state) }
      return
    case 'message-received':
      receive(state, event.id, event.message)
      return
    case 'attempt-closing':
      state.findings = event.findings
      for (const session of state.sessions)
        endSession(session, event.outcome === 'landed' ? 'completed' : 'abandoned', at)
      state.doing = { kind: 'closing', outcome: event.outcome, cause: event.cause, reason: event.reason }
      return
    case 'workspace-released':
    case 'notice-recorded':
      return
    case 'attempt-ended':
      state.doing = { kind: 'ended', outcome: event.outcome, cause: event.cause, reason: event.reason }
      return
    default:
      evolveSession(state, event, at)
  }
}

function receive(state: AttemptState, id: string, message: Message): void {
  state.messagesReceived.add(id)
  if (message.kind === 'landed') state.landedAs = message.commit
  if (message.kind === 'steer') {
    const { number, text } = message
    state.steering.push({ number, text, deliveredIn: null, turnsBefore: 0, deferredIn: null, mayBeDelivered: false })
  }
  if (message.kind === 'answer') receiveAnswer(state, message.answer)
  if (message.kind === 'settings') state.spec = { ...specOf(state), ...message.rules }
  if (message.kind === 'pause') state.isPausing = true
  if (message.kind === 'resume') state.isPausing = false
  // A slot may have become free before the question was asked; only the answer ends this wait.
  if (message.kind === 'resume' && state.doing.kind === 'waiting' && state.doing.for.kind !== 'person') {
    state.doing = { kind: 'between', next: state.doing.next }
  }
}

/** The slot was released with the question, so the attempt waits for another. */
function receiveAnswer(state: AttemptState, answer: Answer): void {
  const { doing } = state
  if (doing.kind !== 'waiting' || doing.for.kind !== 'person') return
  if (answer.kind === 'approved') for (const key of doing.for.allows) state.approved.add(key)
  const next: RoundCause = answer.kind === 'answered' ? { kind: 'answer', text: answer.text } : doing.next
  state.doing = {
    kind: 'waiting',
    for: { kind: 'slot' },
    next,
    answer: { answer, approvalPoint: doing.for.approvalPoint },
  }
}

function startRound(state: AttemptState, event: Extract<AttemptEvent, { kind: 'round-started' }>, at: number): void {
  state.rounds = event.round
  state.phaseRounds[event.phase] = event.phaseRound
  state.roundTurns = 0
  state.roundUsd = 0
  state.refusedHosts.clear()
  const session = state.sessions.find(({ id }) => id === event.session) ?? openSession(state, event, at)
  state.session = session
  session.rounds += 1
  if (event.cause.kind === 'fresh-session') state.handOffs += 1
  const { round, cause, deadlineAt, turnsMax } = event
  state.doing = { kind: 'round', round, cause, startedAt: at, deadlineAt, turnsMax, handOver: null }
}

function save(state: AttemptState, event: Extract<AttemptEvent, { kind: 'checkpoint-made' }>): void {
  state.checkpoints += 1
  const isNew = event.commit !== state.commit
  if (isNew) state.amendable = specOf(state).workflow.commit === 'round' ? null : event.commit
  state.commit = event.commit
  state.tree = event.tree
  if (event.history !== null) state.handOff = { note: state.handOff?.note ?? null, history: event.history }
  if (state.doing.kind === 'checkpoint') state.doing = { kind: 'between', next: causeAfter(state.doing.end) }
}

function endRound(state: AttemptState, end: RoundEnd, activeMs: number): void {
  state.activeMs += activeMs
  const { turns, ms } = state.longest
  state.longest = { turns: Math.max(turns, state.roundTurns), ms: Math.max(ms, activeMs) }
  state.isCutOff = end.kind === 'max-turns'
  requeueSteering(state, end.kind)
  const isError = ['overloaded', 'crashed', 'unknown'].includes(end.kind)
  state.errors = isError ? state.errors + 1 : 0
  if (end.kind === 'lost') state.lostRounds += 1
  if (end.kind === 'lost' || end.kind === 'context-exhausted') {
    state.spared[state.phase] = (state.spared[state.phase] ?? 0) + 1
  }
  if (end.kind === 'timeout') state.timeouts += 1
  if (end.kind === 'max-turns') state.turnRetries += 1
  state.limitHits = end.kind === 'rate-limited' ? state.limitHits + 1 : 0
  state.doing = { kind: 'checkpoint', end }
}

/** Returns the cause of the round that may follow an ended one. */
function causeAfter(end: RoundEnd): RoundCause {
  if (end.kind === 'lost') return { kind: 'lost' }
  if (end.kind === 'context-exhausted') return { kind: 'fresh-session', why: end.detail }
  return { kind: 'continue', why: end.detail }
}

/** Returns the cause of the next round after a wait. */
function nextCause(state: AttemptState): RoundCause {
  return state.doing.kind === 'between' ? state.doing.next : { kind: 'continue', why: 'the wait is over' }
}

function afterLoss(doing: Doing): Doing {
  if (doing.kind === 'workspace') return doing.after
  if (doing.kind !== 'round') return doing
  return { kind: 'between', next: doing.cause.kind === 'brief' ? doing.cause : { kind: 'lost' } }
}
