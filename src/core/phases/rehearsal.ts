import type { Role } from '../model/workflow.ts'

/** Whether a phase is the work itself: what scripts are about whose rules name no phase. */
export function isWorkItself(phase: string, role: Role): boolean {
  return role === 'coder' && phase !== 'document'
}

/** What a scripted agent says in a phase of which its script says nothing: that nothing stands in the way. */
export function rehearsedAnswer(role: Role): string {
  return ANSWERS[role] ?? 'Nothing is left to do here.'
}

const ANSWERS: Partial<Record<Role, string>> = {
  planner: 'Do it as the brief says.',
  reviewer:
    '{"issues": [], "questions": [], "positives": [], "decision": "pass", "reason": "a rehearsal finds nothing"}',
  qa: '{"tests": [], "ran": null, "coverage": null, "documents": [], "issues": []}',
}
