import { TARGET_RETRY_MS, TARGET_SECOND_TRY_MS } from '../limits/limits.ts'
import type { RunEvent } from '../model/run-event.ts'
import { budgetKey } from './budget-key.ts'
import { evolveAttemptRecord } from './evolve-attempt-record.ts'
import { evolveBacklog } from './evolve-backlog.ts'
import { evolveLanding } from './evolve-landing.ts'
import { evolveProposals } from './evolve-proposals.ts'
import { evolveSettings } from './evolve-settings.ts'
import { sendMessage } from './queues.ts'
import { releaseLine } from './release-line.ts'
import { attemptOf, type RunState } from './state.ts'

/** Folds a fact into a run's state. */
export function evolveRun(state: RunState, event: RunEvent, at: number): void {
  switch (event.kind) {
    case 'run-opened':
      open(state, event, at)
      return
    case 'engine-started':
      startEngine(state, event, at)
      return
    case 'settings-adopted':
      evolveSettings(state, event)
      return
    case 'settings-rejected':
      state.settingsFault = event.reason
      return
    case 'milestone-added':
    case 'milestone-changed':
    case 'milestone-summarized':
    case 'task-added':
    case 'task-carried-over':
    case 'task-recovered':
    case 'task-changed':
    case 'task-held':
    case 'task-failed':
    case 'task-skipped':
    case 'task-steered':
    case 'task-reopened':
      evolveBacklog(state, event)
      return
    case 'limit-hit':
    case 'limit-cleared':
    case 'budget-crossed':
      evolveLimits(state, event)
      return
    case 'run-ended':
      Object.assign(state, { endedAt: at, pausedAt: null })
      return
    case 'run-reopened':
      state.endedAt = null
      return
    case 'run-paused':
      pause(state, event.reason, at)
      return
    case 'run-resumed':
      state.pausedAt = null
      return
    case 'attempt-started':
    case 'attempt-waiting':
    case 'attempt-answered':
    case 'attempt-resumed':
    case 'attempt-ready':
    case 'attempt-stopping':
    case 'attempt-notified':
    case 'attempt-ended':
    case 'verify-already-green':
      evolveAttemptRecord(state, event, at)
      return
    case 'task-proposed':
    case 'knowledge-recorded':
    case 'proposal-accepted':
    case 'proposal-declined':
      evolveProposals(state, event, at)
      return
    case 'target-held':
      holdTarget(state, event, at)
      return
    default:
      evolveLanding(state, event)
  }
}

function open(state: RunState, event: Extract<RunEvent, { kind: 'run-opened' }>, at: number): void {
  state.id = event.run
  state.target = event.target
  state.spentBefore = event.spentBefore
  state.samples = event.samplesBefore
  state.knowledge = event.knowledgeBefore
  for (const record of event.proposalsBefore) state.proposals.set(record.proposal.id, record)
  state.openedAt = at
}

function holdTarget(
  state: RunState,
  { commit, reason, command }: Extract<RunEvent, { kind: 'target-held' }>,
  at: number,
): void {
  const tries = state.targetHeld?.commit === commit ? state.targetHeld.tries + 1 : 1
  const retryMs = tries === 1 ? TARGET_SECOND_TRY_MS : TARGET_RETRY_MS * Math.min(tries, 10)
  state.targetHeld = { commit, reason, command, tries, until: at + retryMs }
}

function evolveLimits(
  state: RunState,
  event: Extract<RunEvent, { kind: 'limit-hit' | 'limit-cleared' | 'budget-crossed' }>,
): void {
  switch (event.kind) {
    case 'limit-hit':
      state.limits.set(event.credential, { until: event.until, estimated: event.estimated })
      return
    case 'limit-cleared':
      state.limits.delete(event.credential)
      return
    case 'budget-crossed':
      state.budgetWarnings.add(budgetKey(event))
  }
}

/** Pauses the run: working attempts finish their round, then wait. */
function pause(state: RunState, reason: string, at: number): void {
  state.pausedAt = at
  state.pauses += 1
  for (const attempt of state.working) {
    const record = attemptOf(state, attempt)
    if (record.standing === 'working') sendMessage(state, record, `pause:${state.pauses}`, { kind: 'pause', reason })
  }
}

function startEngine(state: RunState, { protection }: Extract<RunEvent, { kind: 'engine-started' }>, at: number): void {
  state.startedAt ??= at
  state.protection = protection ?? null
  releaseLine(state)
}
