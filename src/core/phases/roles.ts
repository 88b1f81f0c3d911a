import type { AnswerForm } from '../model/agent-report.ts'
import type { Settings } from '../model/settings.ts'
import type { Role } from '../model/workflow.ts'

/** The form in which an agent of a role gives its last answer, where its driver has forms; null: it answers in words. */
export function formOfRole(role: Role): AnswerForm | null {
  return FORMS[role] ?? null
}

const FORMS: Partial<Record<Role, AnswerForm>> = { reviewer: 'review', qa: 'qa' }

/** The roles that settings say something about, and that no phase of any workflow has: what is said has no effect. */
export function unusedRoles({ roles, workflows }: Pick<Settings, 'roles' | 'workflows'>): readonly string[] {
  const phases = Object.values(workflows).flatMap((workflow) => workflow.phases)
  const used = new Set<string>(phases.filter(({ by }) => by === 'agent').map(({ role }) => role))
  return Object.keys(roles).filter((role) => !used.has(role))
}

/** What a person is told of such a role, and what to do about it. */
export function unusedRoleText(role: string): { readonly message: string; readonly hint: string } {
  return {
    message: `roles.${role} has no effect: no phase has the role ${role}.`,
    hint: `Give a phase of your workflows "role: ${role}", or remove roles.${role}.`,
  }
}
