import { RETURNS_MAX } from '../limits/limits.ts'
import type { AttemptOutcome, AttemptSpec, EndCause, WaitFor } from '../model/attempt.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { Check } from '../model/effect.ts'
import type { Commit, Tree } from '../model/ids.ts'
import { type Finding, findingText } from '../model/verdict.ts'
import type { PhaseSpec } from '../model/workflow.ts'
import { checksOf } from '../phases/own-checks.ts'
import { firstWritingPhase, phaseAfter, phaseOf } from '../phases/workflows.ts'
import { findingsKey } from '../prompts/findings-text.ts'
import { askApproval, askToAllow } from './ask-person.ts'
import { type AttemptState, specOf } from './state.ts'

/** Commit that a phase leaves to the next; the tree is null before the first checkpoint. */
export interface PhaseResult {
  readonly commit: Commit
  readonly tree: Tree | null
}

/** Approval point before landing. */
export const LANDING = 'landing'

/** Returns the commands that must pass before a phase is complete. */
export function checksIn({ gates, tasks, workflow }: AttemptSpec, phase: string): readonly Check[] {
  const { gates: wanted } = phaseOf(workflow, phase)
  if (wanted === 'all') return checksOf(gates, tasks)
  return checksOf(
    gates.filter(({ name }) => wanted.includes(name)),
    [],
  )
}

/** Decides what follows a complete phase: the next one with something to do, or landing. */
export function leavePhase(state: AttemptState, work: PhaseResult, why: string): readonly AttemptEvent[] {
  return enterAfter(state, state.phase, work, why)
}

/** Enters the first phase once the workspace exists. */
export function enterFirstPhase(state: AttemptState, work: PhaseResult, why: string): readonly AttemptEvent[] {
  return enterAfter(state, null, work, why)
}

function enterAfter(
  state: AttemptState,
  phase: string | null,
  work: PhaseResult,
  why: string,
): readonly AttemptEvent[] {
  const spec = specOf(state)
  let next: PhaseSpec | null = phaseAfter(spec.workflow, phase)
  while (next !== null && next.by === 'script' && checksIn(spec, next.name).length === 0) {
    next = phaseAfter(spec.workflow, next.name)
  }
  const approvalPoint = next?.name ?? LANDING
  if (spec.breakpoints.includes(approvalPoint))
    return [stopped(spec, approvalPoint, `${why}; a breakpoint stops it before ${approvalPoint}`)]
  if (next === null) return landable(work)
  const entered: AttemptEvent = { kind: 'phase-entered', phase: next.name, why }
  return next.by === 'person'
    ? [entered, stopped(spec, next.name, `phase ${next.name} is done by a person`)]
    : [entered]
}

function landable({ commit, tree }: PhaseResult): readonly AttemptEvent[] {
  if (tree === null) throw new Error('nothing to land before a checkpoint')
  return [{ kind: 'ready-to-land', commit, tree }]
}

function stopped({ tasks }: AttemptSpec, approvalPoint: string, reason: string): AttemptEvent {
  return waiting(askApproval(approvalPoint, reason, tasks), reason)
}

/** Sends work back to the phase that fixes it, or gives up where that is pointless. */
export function returnWork(
  state: AttemptState,
  from: string,
  findings: readonly Finding[],
  tree: Tree | null,
): AttemptEvent {
  const { workflow } = specOf(state)
  const to = from === 'landing' ? firstWritingPhase(workflow).name : phaseOf(workflow, from).backTo
  const first = findings[0] === undefined ? 'no reason was given' : findingText(findings[0])
  const cause: EndCause = findings.some((finding) => finding.source === 'merge') ? 'conflict' : 'checks'
  if (to === null) return closing('failed', cause, first, findings)
  const last = state.lastReturn
  const isSame = last !== null && last.key === findingsKey(findings)
  if (isSame && findings.every(({ needsPerson }) => needsPerson)) {
    const wait = askToAllow(from, findings, specOf(state).tasks)
    return waiting(wait, wait.question)
  }
  if (isSame && last.tree === tree) {
    const reason = `nothing changed since the same finding: ${first}`
    return closing('failed', cause === 'conflict' ? cause : 'no-progress', reason, findings)
  }
  if (state.returns >= RETURNS_MAX) {
    return closing('failed', cause, `already sent back ${RETURNS_MAX} times: ${first}`, findings)
  }
  return { kind: 'work-returned', from, to, findings }
}

export function closing(
  outcome: AttemptOutcome,
  cause: EndCause,
  reason: string,
  findings: readonly Finding[],
): AttemptEvent {
  return { kind: 'attempt-closing', outcome, cause, reason, findings }
}

export function waiting(wait: WaitFor, reason: string): AttemptEvent {
  return { kind: 'attempt-waiting', for: wait, reason }
}
