import { isProblem } from '../../src/core/model/problem.ts'
import { type Lab, type LabOptions, openLab } from '../../src/lab/lab.ts'
import { parseScenario } from '../../src/lab/parse-scenario.ts'

/** Opens a lab for a scenario given as YAML or JSON; the caller closes it. */
export async function labFor(scenario: string, options: Partial<LabOptions> = {}): Promise<Lab> {
  const parsed = parseScenario('scenario.yaml', scenario)
  if (isProblem(parsed)) throw new Error(parsed.message)
  const lab = await openLab({ scenario: parsed, now: () => Date.now(), ...options })
  if (isProblem(lab)) throw new Error(lab.message)
  return lab
}
