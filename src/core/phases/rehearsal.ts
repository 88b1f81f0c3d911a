import type { Role } from '../model/workflow.ts'
import { JUDGE_PHASE } from './judge-agent.ts'

/** True for phases in which a coder works; rules of scripts apply to them unless they name another phase. */
export function isCodingPhase(phase: string, role: Role): boolean {
  return role === 'coder' && phase !== 'document' && phase !== JUDGE_PHASE
}

/** Returns the answer of a scripted agent in a phase that its script does not cover: everything passes. */
export function rehearsedAnswer(role: Role): string {
  return ANSWERS[role] ?? 'Nothing is left to do here.'
}

/** Returns that answer as a filled-in form, or null when the role has no form. */
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
