import type { AgentSettings, Settings } from '../model/settings.ts'
import type { PhaseSpec, Role, Workflow } from '../model/workflow.ts'

/** The role of a phase that names none. */
export function roleOfPhase({ name, role }: { readonly name: string; readonly role?: Role | undefined }): Role {
  return role ?? ROLE_OF[name] ?? 'coder'
}

const ROLE_OF: Readonly<Record<string, Role>> = { plan: 'planner', spec: 'planner', review: 'reviewer', qa: 'qa' }

/** Whether an agent of this role only reads. */
export function isReader(role: Role): boolean {
  return role === 'planner' || role === 'reviewer'
}

/** The phase of a name. */
export function phaseOf({ phases }: Workflow, name: string): PhaseSpec {
  const found = phases.find((phase) => phase.name === name)
  if (found === undefined) throw new Error(`no phase ${name} in the workflow`)
  return found
}

/** The phase after one, or the first; null: there is none. */
export function phaseAfter({ phases }: Workflow, name: string | null): PhaseSpec | null {
  return phases[phases.findIndex((phase) => phase.name === name) + 1] ?? null
}

/** Where work goes that could not land: the first phase in which an agent changes files. */
export function firstWritingPhase({ phases }: Workflow): PhaseSpec {
  const found = phases.find(({ by, role }) => by === 'agent' && !isReader(role))
  if (found === undefined) throw new Error('nobody works in the workflow')
  return found
}

/** Which phase a person sends back who rejects what is there, in a phase with no way back: the last that made something. */
export function phaseToRedo(workflow: Workflow, name: string): PhaseSpec {
  const { phases } = workflow
  const sofar = phases.slice(0, phases.findIndex((phase) => phase.name === name) + 1)
  return sofar.findLast(({ by, role }) => by === 'agent' && role !== 'reviewer') ?? firstWritingPhase(workflow)
}

/** The agents of a workflow by the phases that they work in; an agent that only reads may write nothing, unless told otherwise. */
export function agentsOf({ phases }: Workflow, { agent, roles }: Settings): Readonly<Record<string, AgentSettings>> {
  const working = phases.filter(({ by }) => by === 'agent')
  return Object.fromEntries(
    working.map(({ name, role, driver, model }) => {
      const own = { ...agent, ...(isReader(role) ? { access: 'read-only' as const } : {}), ...roles[role] }
      return [name, { ...own, driver: driver ?? own.driver, model: model ?? own.model }]
    }),
  )
}
