import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bareLoop } from './bare-loop.ts'
import { makeProject, type Project, timeCli } from './project.ts'
import { type BenchResult, median, spread } from './result.ts'
import { asTasks, PARALLEL, type TrivialTask, trivialFiles, trivialTasks } from './trivial-tasks.ts'

const TASKS = 60
const COUNTED_TASKS = 20
const PAIRS = 3
const RATIO_MAX = 1.25

/** A run of trivial tasks against a bare loop that does the same git and check commands, in turns. */
export async function benchSixty(): Promise<BenchResult[]> {
  const pairs: { readonly ours: number; readonly bare: number }[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    pairs.push({ bare: await timed(TASKS, runBare), ours: await timed(TASKS, runOurs) })
  }
  const [ours, bare] = [pairs.map((pair) => pair.ours), pairs.map((pair) => pair.bare)]
  const ratios = pairs.map((pair) => pair.ours / pair.bare)
  const counts = `${(await gitProcesses(runOurs)).toFixed(1)} git processes a task against ${(await gitProcesses(runBare)).toFixed(1)}`
  return [
    {
      name: `${TASKS} trivial tasks, ${PARALLEL} at once`,
      value: median(ours),
      baseline: median(bare),
      ratio: median(ratios),
      bound: `≤ ${RATIO_MAX} of a bare loop`,
      ok: median(ratios) <= RATIO_MAX,
      note: `ms, median of ${PAIRS} pairs (ratios ${spread(ratios, 2)}, the loop ${spread(bare)}); ${counts}`,
    },
  ]
}

type Way = (project: Project, tasks: readonly TrivialTask[]) => Promise<number>

/** Milliseconds for so many tasks in a fresh project, all landed on main. */
async function timed(count: number, way: Way, prepare: (project: Project) => void = () => {}): Promise<number> {
  const tasks = trivialTasks(count)
  const project = makeProject(trivialFiles(tasks))
  try {
    prepare(project)
    const ms = await way(project, tasks)
    const landed = Number(project.git('rev-list', '--count', '--first-parent', 'main')) - 1
    if (landed !== count) throw new Error(`${landed} of ${count} tasks have landed`)
    return ms
  } finally {
    project.remove()
  }
}

async function runOurs(project: Project, tasks: readonly TrivialTask[]): Promise<number> {
  const file = join(project.folder, 'tasks.json')
  writeFileSync(file, JSON.stringify({ tasks: asTasks(tasks) }))
  await timeCli(project, ['import', file])
  return (await timeCli(project, ['run'])).ms
}

async function runBare(project: Project, tasks: readonly TrivialTask[]): Promise<number> {
  const startedAt = performance.now()
  await bareLoop(project, tasks)
  return performance.now() - startedAt
}

/** For one task, those of bringing it in and of starting up left out. */
async function gitProcesses(way: Way): Promise<number> {
  const few = await countedIn(COUNTED_TASKS / 2, way)
  return ((await countedIn(COUNTED_TASKS, way)) - few) / (COUNTED_TASKS / 2)
}

async function countedIn(tasks: number, way: Way): Promise<number> {
  let traces = ''
  let count = 0
  await timed(
    tasks,
    async (project, all) => {
      const ms = await way(project, all)
      count = readdirSync(traces).length
      return ms
    },
    (project) => {
      traces = project.traceGit()
    },
  )
  return count
}
