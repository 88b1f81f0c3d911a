import type { Weight } from '../../src/core/model/task.ts'
import type { PhaseSpec, Workflow } from '../../src/core/model/workflow.ts'

/** A short workflow for tests: the phases run in one session, and `verify` runs the checks. */
export function plainWorkflow(names: readonly string[], rounds: number): Workflow {
  return { session: 'attempt', commit: 'round', rounds, phases: names.map(plainPhase) }
}

/** Short workflows for each weight: implement, then verify. */
export const PLAIN_WORKFLOWS: Readonly<Record<Weight, Workflow>> = {
  trivial: plainWorkflow(['implement'], 5),
  small: plainWorkflow(['implement', 'verify'], 20),
  medium: plainWorkflow(['implement', 'verify'], 20),
  large: plainWorkflow(['implement', 'verify'], 50),
  greenfield: plainWorkflow(['implement', 'verify'], 50),
}

function plainPhase(name: string): PhaseSpec {
  const isVerify = name === 'verify'
  return {
    name,
    by: isVerify ? 'script' : 'agent',
    role: 'coder',
    driver: null,
    model: null,
    prompt: null,
    gates: isVerify ? 'all' : [],
    backTo: 'implement',
    rounds: null,
  }
}
