import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Slowest first, CPU-bound files between files that mostly wait; the rest fills the gaps.
const LONG = [
  'simulation/first-seeds',
  'journeys/claude-code-phases',
  'simulation/further-seeds',
  'journeys/claude-code-limits',
  'journeys/weakened-checks',
  'journeys/cli-engine',
  'simulation/broken-on-purpose',
  'journeys/cli-bad-input',
  'journeys/limits',
  'journeys/machine',
  'journeys/cli-steering',
  'journeys/demo',
  'journeys/judges',
]

/** Runs the slowest test files of all projects first, so that none is left running at the end. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return place < 0 ? LONG.length : place
    }
    return others.toSorted((a, b) => rank(a) - rank(b))
  }
}
