import type { Settings } from '../model/settings.ts'

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
