import type { Role } from '../model/workflow.ts'
import { JUDGE_PHASE } from './judge-agent.ts'

/** Whether a phase is the work itself: what scripts are about whose rules name no phase. */
export function isCodingPhase(phase: string, role: Role): boolean {
  return role === 'coder' && phase !== 'document' && phase !== JUDGE_PHASE
}

/** What a scripted agent says in a phase of which its script says nothing: that nothing stands in the way. */
export function rehearsedAnswer(role: Role): string {
  return ANSWERS[role] ?? 'Nothing is left to do here.'
}

/** The same in the form of its last answer; null: its role has none. */
export function rehearsedForm(role: Role): Readonly<Record<string, unknown>> | null {
  return FORMS[role] ?? null
}

const FORMS: Partial<Record<Role, Readonly<Record<string, unknown>>>> = {
  reviewer: { status: 'done', issues: [], decision: { kind: 'pass', reason: 'a rehearsal finds nothing' } },
  qa: { status: 'done', issues: [] },
}

const ANSWERS: Partial<Record<Role, string>> = {
  planner: 'Do it as the brief says.',
  reviewer:
    '{"issues": [], "questions": [], "positives": [], "decision": "pass", "reason": "a rehearsal finds nothing"}',
  qa: '{"tests": [], "ran": null, "coverage": null, "documents": [], "issues": []}',
}
