import type { AgentSettings, Settings } from '../model/settings.ts'
import type { PhaseSpec, Workflow } from '../model/workflow.ts'
import { isReader } from './roles.ts'

/** Returns the phase of a name. */
export function phaseOf({ phases }: Workflow, name: string): PhaseSpec {
  const phase = phases.find((each) => each.name === name)
  if (phase === undefined) throw new Error(`no phase ${name} in the workflow`)
  return phase
}

/** Returns the phase after a name, the first phase for null, or null after the last. */
export function phaseAfter({ phases }: Workflow, name: string | null): PhaseSpec | null {
  return phases[phases.findIndex((phase) => phase.name === name) + 1] ?? null
}

/** Returns the first phase in which an agent changes files; refused landings return to it. */
export function firstWritingPhase({ phases }: Workflow): PhaseSpec {
  const phase = phases.find(({ by, role }) => by === 'agent' && !isReader(role))
  if (phase === undefined) throw new Error('no phase of the workflow changes files')
  return phase
}

/** Returns the phase to redo when a person rejects work in a phase without `backTo`: the last that produced something. */
export function phaseToRedo(workflow: Workflow, name: string): PhaseSpec {
  const { phases } = workflow
  const upToHere = phases.slice(0, phases.findIndex((phase) => phase.name === name) + 1)
  return upToHere.findLast(({ by, role }) => by === 'agent' && role !== 'reviewer') ?? firstWritingPhase(workflow)
}

/** Returns the agents of a workflow by phase; readers get read-only access unless `roles` says otherwise. */
export function agentsOf({ phases }: Workflow, { agent, roles }: Settings): Readonly<Record<string, AgentSettings>> {
  const working = phases.filter(({ by }) => by === 'agent')
  return Object.fromEntries(
    working.map(({ name, role, driver, model }) => {
      const own = { ...agent, ...(isReader(role) ? { access: 'read-only' as const } : {}), ...roles[role] }
      return [name, { ...own, driver: driver ?? own.driver, model: model ?? own.model }]
    }),
  )
}
