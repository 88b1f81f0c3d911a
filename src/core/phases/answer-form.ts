import type { AnswerForm } from '../model/agent-report.ts'
import type { Role } from '../model/workflow.ts'

/** The form in which an agent of a role gives its last answer, where its driver has forms; null: it answers in words. */
export function formOfRole(role: Role): AnswerForm | null {
  return FORMS[role] ?? null
}

const FORMS: Partial<Record<Role, AnswerForm>> = { reviewer: 'review', qa: 'qa' }
