import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bareLoop } from './bare-loop.ts'
import { makeProject, type Project, processorSeconds, timeCli } from './project.ts'
import { type BenchResult, median, spread } from './result.ts'
import { asTaskFile, PARALLEL, type TrivialTask, trivialFiles, trivialTasks } from './trivial-tasks.ts'

const TASKS = 60
const COUNTED_TASKS = 6
const PAIRS = 3
const RATIO_MAX = 1.5

/** Compares a run of trivial tasks with a bare loop, alternating. */
export async function benchSixty(): Promise<BenchResult[]> {
  const pairs: { readonly ours: Cost; readonly bare: Cost }[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    pairs.push({ bare: await costOf(TASKS, bareLoop), ours: await costOf(TASKS, runOurs) })
  }
  const [ours, bare] = [pairs.map((pair) => pair.ours), pairs.map((pair) => pair.bare)]
  const ratios = pairs.map((pair) => pair.ours.ms / pair.bare.ms)
  const times = `ratios ${spread(ratios, 2)}, the loop ${spread(bare.map(({ ms }) => ms))}`
  const processor = `${processorOf(ours)} s of processor time against ${processorOf(bare)}`
  const processes = `${await gitProcesses(runOurs)} git processes a task against ${await gitProcesses(bareLoop)}`
  return [
    {
      name: `${TASKS} trivial tasks, ${PARALLEL} at once`,
      value: median(ours.map(({ ms }) => ms)),
      baseline: median(bare.map(({ ms }) => ms)),
      ratio: median(ratios),
      bound: `≤ ${RATIO_MAX} × a bare loop`,
      ok: median(ratios) <= RATIO_MAX,
      note: `ms, median of ${PAIRS} pairs (${times}); ${processor}; ${processes}`,
    },
  ]
}

interface Cost {
  readonly ms: number
  readonly processorSeconds: number
  readonly gitProcesses: number
}

type Way = (project: Project, tasks: readonly TrivialTask[]) => Promise<void>

/** Measures this many imported tasks in a fresh project until all have landed on main. */
async function costOf(
  count: number,
  way: Way,
  traces: (project: Project) => string | null = () => null,
): Promise<Cost> {
  const tasks = trivialTasks(count)
  const project = makeProject(trivialFiles(tasks))
  try {
    const file = join(project.folder, 'tasks.json')
    writeFileSync(file, asTaskFile(tasks))
    await timeCli(project, ['import', file])
    const traced = traces(project)
    const [startedAt, before] = [performance.now(), processorSeconds()]
    await way(project, tasks)
    const [ms, used] = [performance.now() - startedAt, processorSeconds() - before]
    const landed = Number(project.git('rev-list', '--count', '--first-parent', 'main')) - 1
    if (landed !== count) throw new Error(`${landed} of ${count} tasks have landed`)
    return { ms, processorSeconds: used, gitProcesses: traced === null ? 0 : readdirSync(traced).length }
  } finally {
    project.remove()
  }
}

async function runOurs(project: Project): Promise<void> {
  await timeCli(project, ['run'])
}

function processorOf(costs: readonly Cost[]): string {
  return median(costs.map(({ processorSeconds }) => processorSeconds)).toFixed(1)
}

/** Counts the git processes of one task, without those at start-up. */
async function gitProcesses(way: Way): Promise<string> {
  const [few, many] = [COUNTED_TASKS, 2 * COUNTED_TASKS]
  const counted = async (tasks: number) => (await costOf(tasks, way, (project) => project.traceGit())).gitProcesses
  return (((await counted(many)) - (await counted(few))) / COUNTED_TASKS).toFixed(1)
}
