import type { Answer, AttemptEvent } from '../model/attempt-event.ts'
import { finding } from '../model/verdict.ts'
import { phaseOf, phaseToRedo } from '../phases/workflows.ts'
import { LANDING, leavePhase } from './phase-flow.ts'
import { type AttemptState, specOf } from './state.ts'

/** Decides what follows a person's answer, once the attempt has a slot. */
export function afterAnswer(
  state: AttemptState,
  answer: Answer,
  approvalPoint: string | null,
): readonly AttemptEvent[] {
  const { workflow, base } = specOf(state)
  if (answer.kind === 'rejected') {
    const to = phaseOf(workflow, state.phase).backTo ?? phaseToRedo(workflow, state.phase).name
    return [{ kind: 'work-returned', from: state.phase, to, findings: [finding('person', answer.text)] }]
  }
  if (answer.kind === 'answered' || approvalPoint === null) return []
  const { commit, tree } = state
  const why = answer.text === '' ? 'a person approved' : `a person approved: ${answer.text}`
  if (approvalPoint === state.phase && !isUnbegun(state))
    return leavePhase(state, { commit: commit ?? base, tree }, why)
  if (approvalPoint !== LANDING) return [{ kind: 'phase-entered', phase: approvalPoint, why }]
  return commit === null || tree === null ? [] : [{ kind: 'ready-to-land', commit, tree }]
}

/** True when the work waits before its first phase, not at the end of a phase. */
function isUnbegun({ phase, phaseRounds, spec }: AttemptState): boolean {
  return spec !== null && phaseOf(spec.workflow, phase).by === 'agent' && phaseRounds[phase] === undefined
}
