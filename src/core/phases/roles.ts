import type { AnswerForm } from '../model/agent-report.ts'
import type { Settings } from '../model/settings.ts'
import type { Role } from '../model/workflow.ts'

/** Returns the role of a phase, by its name when it has none. */
export function roleOfPhase({ name, role }: { readonly name: string; readonly role?: Role | undefined }): Role {
  return role ?? ROLE_OF[name] ?? 'coder'
}

const ROLE_OF: Readonly<Record<string, Role>> = { plan: 'planner', spec: 'planner', review: 'reviewer', qa: 'qa' }

/** True when an agent of this role only reads. */
export function isReader(role: Role): boolean {
  return role === 'planner' || role === 'reviewer'
}

/** Returns the form of a role's last answer, for drivers with forms, or null when the role answers in prose. */
export function formOfRole(role: Role): AnswerForm | null {
  return FORMS[role] ?? null
}

const FORMS: Partial<Record<Role, AnswerForm>> = { reviewer: 'review', qa: 'qa' }

/** Returns the configured roles that no phase of any workflow has. */
export function unusedRoles({ roles, workflows }: Pick<Settings, 'roles' | 'workflows'>): readonly string[] {
  const phases = Object.values(workflows).flatMap((workflow) => workflow.phases)
  const used = new Set<string>(phases.filter(({ by }) => by === 'agent').map(({ role }) => role))
  return Object.keys(roles).filter((role) => !used.has(role))
}

/** Returns the warning about a role without a phase. */
export function unusedRoleText(role: string): { readonly message: string; readonly hint: string } {
  return {
    message: `roles.${role} has no effect: no phase has the role ${role}.`,
    hint: `Give a phase of your workflows "role: ${role}", or remove roles.${role}.`,
  }
}
