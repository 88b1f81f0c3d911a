import { WEIGHTS, type Weight } from '../core/model/task.ts'
import type { PhaseSpec, Workflow } from '../core/model/workflow.ts'
import { roleOfPhase } from '../core/phases/roles.ts'
import type { WrittenPhase, WrittenWorkflow } from './schema-workflows.ts'
import { isWork } from './workflow-rules.ts'

/** Converts workflows to the core's form, with defaults for what a phase leaves out. */
export function workflowsOf(
  written: Readonly<Partial<Record<Weight, WrittenWorkflow>>>,
): Readonly<Record<Weight, Workflow>> {
  const entries = WEIGHTS.map((weight) => [weight, workflowFrom(written[weight])] as const)
  return Object.fromEntries(entries) as Record<Weight, Workflow>
}

function workflowFrom(written: WrittenWorkflow | undefined): Workflow {
  if (written === undefined) throw new Error('every weight has a built-in workflow')
  const { phases, ...same } = written
  return { ...same, phases: phases.map((phase, index) => phaseFrom(phase, phases.slice(0, index))) }
}

function phaseFrom(written: WrittenPhase, before: readonly WrittenPhase[]): PhaseSpec {
  const { name, by, driver, model, prompt, rounds } = written
  const role = roleOfPhase(written)
  const nearest = isWork(written) ? written : before.findLast(isWork)
  return {
    name,
    by,
    role,
    driver,
    model,
    prompt,
    rounds,
    gates: written.gates ?? (by === 'script' ? 'all' : []),
    backTo: written.back_to === undefined ? (nearest?.name ?? null) : written.back_to,
  }
}
