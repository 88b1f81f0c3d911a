import type { AttemptEvent, PhaseFact, RoundCause } from '../model/attempt-event.ts'
import { phaseOf } from '../phases/workflows.ts'
import { findingsKey } from '../prompts/findings-text.ts'
import { type AttemptState, type Doing, specOf } from './state.ts'
import { evolveToolCalls } from './tool-calls.ts'

/** Applies a fact about an attempt's phases to its state. */
export function evolvePhase(state: AttemptState, event: PhaseFact): void {
  switch (event.kind) {
    case 'verify-requested':
      state.doing = { kind: 'trying-verify' }
      return
    case 'verify-tried':
      state.alreadyGreen = event.alreadyGreen
      state.doing = { kind: 'between', next: { kind: 'brief' } }
      return
    case 'phase-entered':
      enterPhase(state, event.phase)
      return
    case 'work-submitted':
      state.doing = checking(state)
      return
    case 'work-reported':
      state.reports[event.report.kind] = { round: event.round, report: event.report }
      evolveToolCalls(state.toolCalls, event)
      return
    case 'phase-output':
      state.outputs.set(event.phase, event.text)
      return
    case 'round-requested':
      if (event.cause.kind === 'decide') state.isDeciding = true
      if (event.cause.kind === 'again') state.asksAgain += 1
      state.doing = { kind: 'between', next: event.cause }
      return
    case 'verdict-given':
      state.verdicts += 1
      state.receipts = event.receipts
      state.findings = event.findings
      return
    case 'opinion-requested':
      state.doing = { ...checking(state), kind: 'asking-judge' }
      return
    case 'opinion-given':
      state.opinions += 1
      return
    case 'work-returned':
      returnWork(state, event)
      return
    case 'ready-to-land':
      state.findings = []
      state.doing = { kind: 'landing', commit: event.commit }
      return
    case 'work-assessed':
      return
  }
}

function enterPhase(state: AttemptState, phase: string): void {
  state.phase = phase
  const { workflow } = specOf(state)
  const { by } = phaseOf(workflow, phase)
  if (by === 'script') {
    state.doing = checking(state)
    return
  }
  Object.assign(state, { turnRetries: 0, timeouts: 0, isCutOff: false, handOff: null, isDeciding: false, asksAgain: 0 })
  // A finished phase's commit stays as it is; later work in the phase becomes a new commit.
  if (workflow.commit === 'phase') state.amendable = null
  state.doing = { kind: 'between', next: { kind: 'brief' } }
}

function checking({ commit, tree }: AttemptState): Extract<Doing, { kind: 'checking' }> {
  if (commit === null || tree === null) throw new Error('nothing to check before a checkpoint')
  return { kind: 'checking', commit, tree }
}

function returnWork(state: AttemptState, event: Extract<AttemptEvent, { kind: 'work-returned' }>): void {
  const { from, to, findings } = event
  state.returns += 1
  if (state.isDeciding) Object.assign(state, { reviews: state.reviews + 1, lastReview: findingsKey(findings) })
  Object.assign(state, { isDeciding: false, asksAgain: 0 })
  state.lastReturn = { tree: state.tree, key: findingsKey(findings) }
  state.findings = findings
  state.phase = to
  const next: RoundCause = { kind: 'findings', from, findings }
  // The slot was released for landing.
  state.doing = from === 'landing' ? { kind: 'waiting', for: { kind: 'slot' }, next } : { kind: 'between', next }
}
