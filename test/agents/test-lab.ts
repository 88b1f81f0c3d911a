import { onTestFinished } from 'vitest'
import type { Lab, LabOptions } from '../../src/lab/lab.ts'
import { labFor } from './lab-for.ts'

/** Opens a lab for a scenario given as YAML; it is closed when the test ends. */
export async function testLab(scenario: string, options: Partial<LabOptions> = {}): Promise<Lab> {
  const lab = await labFor(scenario, options)
  onTestFinished(() => lab.close())
  return lab
}
