import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Slowest first, CPU-bound files between files that mostly wait; the rest fills the gaps.
const LONG = [
  'simulation/first-seeds',
  'journeys/crashes',
  'journeys/claude-code-limits',
  'journeys/claude-code-phases',
  'simulation/further-seeds',
  'journeys/landing',
  'journeys/cli-json',
  'journeys/cli',
  'journeys/weakened-checks',
  'journeys/crash-moments',
  'journeys/limits',
  'journeys/demo',
  'simulation/broken-on-purpose',
  'journeys/cli-revert',
  'journeys/machine',
  'journeys/cli-engine',
  'journeys/cli-export',
  'journeys/lab-faults',
  'journeys/lost-state',
  'journeys/cli-person',
  'journeys/cheats',
  'journeys/claude-crashes',
  'conformance/claude',
]
// Projects with longer files first; files of one project follow each other, because they share loaded modules.
const PROJECTS = ['journeys', 'conformance', 'adapters']

/** Runs the slowest test files of all projects first, so that none is left running at the end. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files)
    return others.toSorted((a, b) => rank(a) - rank(b))
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const place = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  if (place >= 0) return place
  const ofProject = PROJECTS.indexOf(project.name)
  return LONG.length + (ofProject < 0 ? PROJECTS.length : ofProject)
}
