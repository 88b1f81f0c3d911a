import { RETURNS_MAX } from '../limits/limits.ts'
import type { AttemptOutcome, AttemptSpec, EndCause, WaitFor } from '../model/attempt.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { Check } from '../model/effect.ts'
import type { Commit, Tree } from '../model/ids.ts'
import type { Finding } from '../model/verdict.ts'
import type { PhaseSpec } from '../model/workflow.ts'
import { checksOf } from '../phases/own-checks.ts'
import { findingsKey } from '../phases/retry-brief.ts'
import { phaseAfter, phaseOf, workPhase } from '../phases/workflows.ts'
import { type AttemptState, specOf } from './state.ts'

/** The files that a phase leaves to the next. */
export interface Work {
  readonly commit: Commit
  readonly tree: Tree
}

/** The commands that must pass before a phase is over. */
export function checksIn({ gates, tasks, workflow }: AttemptSpec, phase: string): readonly Check[] {
  const { gates: wanted } = phaseOf(workflow, phase)
  if (wanted === 'all') return checksOf(gates, tasks)
  return checksOf(
    gates.filter(({ name }) => wanted.includes(name)),
    [],
  )
}

/** What follows the phase that is over: the next one in which there is something to do, or landing. */
export function leavePhase(state: AttemptState, work: Work, why: string): readonly AttemptEvent[] {
  const spec = specOf(state)
  let next: PhaseSpec | null = phaseAfter(spec.workflow, state.phase)
  while (next !== null && next.by === 'script' && checksIn(spec, next.name).length === 0) {
    next = phaseAfter(spec.workflow, next.name)
  }
  if (next === null) return [{ kind: 'ready-to-land', commit: work.commit, tree: work.tree }]
  return [{ kind: 'phase-entered', phase: next.name, why }]
}

/** Sends work back to where it is mended, or gives up where that would be pointless. */
export function returnWork(
  state: AttemptState,
  from: string,
  findings: readonly Finding[],
  tree: Tree | null,
): AttemptEvent {
  const { workflow } = specOf(state)
  const to = from === 'landing' ? workPhase(workflow).name : phaseOf(workflow, from).backTo
  const first = findings[0]?.message ?? 'no reason was given'
  const cause: EndCause = findings.some((finding) => finding.source === 'merge') ? 'conflict' : 'checks'
  if (to === null) return closing('failed', cause, first, findings)
  const last = state.lastReturn
  if (last !== null && last.tree === tree && last.key === findingsKey(findings)) {
    const reason = `nothing changed since the same was found: ${first}`
    return closing('failed', cause === 'conflict' ? cause : 'no-progress', reason, findings)
  }
  if (state.returns >= RETURNS_MAX) {
    return closing('failed', cause, `came back ${RETURNS_MAX} times already: ${first}`, findings)
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
