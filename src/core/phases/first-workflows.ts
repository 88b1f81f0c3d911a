import type { Weight } from '../model/task.ts'
import type { PhaseSpec, Workflow } from '../model/workflow.ts'

/** A workflow of the first release: work, and where wanted our checks, in one session. */
export function firstWorkflow(names: readonly string[], rounds: number): Workflow {
  return { session: 'attempt', commit: 'round', rounds, phases: names.map(firstPhase) }
}

/** The workflows of the first release. */
export const FIRST_WORKFLOWS: Readonly<Record<Weight, Workflow>> = {
  trivial: firstWorkflow(['implement'], 5),
  small: firstWorkflow(['implement', 'verify'], 20),
  medium: firstWorkflow(['implement', 'verify'], 20),
  large: firstWorkflow(['implement', 'verify'], 50),
  greenfield: firstWorkflow(['implement', 'verify'], 50),
}

function firstPhase(name: string): PhaseSpec {
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
