import { bareLoop } from './bare-loop.ts'
import { byHand, claudeProject, type LabTask } from './claude-project.ts'
import { processorSeconds, timeCli } from './project.ts'
import { type BenchResult, median, spread } from './result.ts'
import { type TrivialTask, trivialTasks } from './trivial-tasks.ts'

const PAIRS = 3
const TASKS = 12
const PARALLEL = 3
const IN_A_ROW = 6
const RATIO_MAX = 1.05
const ENGINE_SHARE_MAX = 0.1
const FEW_TURNS = 4
const MANY_TURNS = 44
const HAND_OFF_RATIO_MAX = 3
// Seconds between the pieces of an answer, of which there are about six.
const SLOW = { fault: { slow: 0.15 } }

// Real Claude Code runs against a lab that answers at once, so only the machine's own time counts; once more with a model
// that takes about a second per answer, as the fastest real ones do. "By hand" is `claude -p` with the git and check
// commands of an engine around it. The engine's processor time is the difference between a run with many turns and one
// with few. A hand-off is timed from the request for the note to the next session's first request; its baseline is the
// time from the start of `claude -p` to its first request.

/** Compares tasks of a real agent under an engine with the same tasks by hand. */
export async function benchAgents(): Promise<BenchResult[]> {
  return [
    await oneAfterAnother(),
    await threeAtOnce('', {}),
    await threeAtOnce(', a model that takes a second', SLOW),
    await engineShare(),
    await handOff(),
  ]
}

async function oneAfterAnother(): Promise<BenchResult> {
  const pairs = await paired({ count: IN_A_ROW, parallel: 1, more: {} }, (times) =>
    median(times.landedMs.slice(1).map(sinceLast(times.landedMs))),
  )
  return compared('a task in the middle of a run', pairs, `of ${IN_A_ROW} in a row`)
}

async function threeAtOnce(how: string, more: object): Promise<BenchResult> {
  const pairs = await paired({ count: TASKS, parallel: PARALLEL, more }, ({ ms }) => ms)
  return compared(`${TASKS} tasks, ${PARALLEL} at once${how}`, pairs, 'of the whole run')
}

/** Tasks to work through. */
interface Load {
  readonly count: number
  readonly parallel: number
  /** Additions to every answer of the model. */
  readonly more: object
}

interface Times {
  readonly ms: number
  /** Landing time of each task. */
  readonly landedMs: readonly number[]
}

type Pairs = readonly { readonly ours: number; readonly bare: number }[]

async function paired(load: Load, figure: (times: Times) => number): Promise<Pairs> {
  const pairs: { ours: number; bare: number }[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const bare = figure(await byHandTimes(load))
    pairs.push({ bare, ours: figure(await ourTimes(load)) })
  }
  return pairs
}

function compared(name: string, pairs: Pairs, what: string): BenchResult {
  const ratios = pairs.map(({ ours, bare }) => ours / bare)
  const [value, baseline, ratio] = [pairs.map(({ ours }) => ours), pairs.map(({ bare }) => bare), ratios].map(median)
  const spreads = `ratios ${spread(ratios, 2)}, by hand ${spread(pairs.map(({ bare }) => bare))}`
  return {
    name,
    value: value ?? 0,
    baseline: baseline ?? 0,
    ratio: ratio ?? 0,
    bound: `≤ ${RATIO_MAX} × claude -p by hand`,
    ok: (ratio ?? 0) <= RATIO_MAX,
    note: `ms ${what}, median of ${PAIRS} pairs (${spreads})`,
  }
}

async function ourTimes({ count, parallel, more }: Load): Promise<Times> {
  const { project, close } = await claudeProject(labTasks(trivialTasks(count), more), { parallel })
  try {
    const { ms } = await timeCli(project, ['run'])
    const { stdout } = await timeCli(project, ['log', '--json', '--kind', 'landed'])
    const landedMs = stdout
      .trim()
      .split('\n')
      .map((line) => Date.parse((JSON.parse(line) as { readonly at: string }).at))
    if (landedMs.length !== count) throw new Error(`${landedMs.length} of ${count} tasks have landed`)
    return { ms, landedMs }
  } finally {
    await close()
  }
}

async function byHandTimes({ count, parallel, more }: Load): Promise<Times> {
  const tasks = trivialTasks(count)
  const { project, lab, close } = await claudeProject(labTasks(tasks, more), { parallel })
  try {
    const [startedAt, landedMs] = [performance.now(), [] as number[]]
    const noteTime = async (_: string, work: () => Promise<void>) => {
      await work()
      landedMs.push(performance.now())
    }
    await bareLoop(project, tasks, noteTime, { play: byHand(lab), parallel })
    return { ms: performance.now() - startedAt, landedMs }
  } finally {
    await close()
  }
}

function sinceLast(times: readonly number[]): (time: number, index: number) => number {
  return (time, index) => time - (times[index] ?? 0)
}

function labTasks(tasks: readonly TrivialTask[], more: object = {}): readonly LabTask[] {
  return tasks.map(({ id, path, text }) => {
    const steps = [{ write: { path, text } }, { run: `cat ${path}` }, { report: 'done' }]
    return { id, steps: steps.map((step) => ({ ...step, ...more })) }
  })
}

async function engineShare(): Promise<BenchResult> {
  const [few, many] = [await processorOf(FEW_TURNS), await processorOf(MANY_TURNS)]
  const value = many.engine - few.engine
  const baseline = many.agent - few.agent
  const whole = `${many.engine.toFixed(2)} of ${many.agent.toFixed(2)} s for the whole run, ${few.engine.toFixed(2)} of ${few.agent.toFixed(2)} s with ${FEW_TURNS} turns`
  return {
    name: `engine's processor time, ${MANY_TURNS - FEW_TURNS} turns`,
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${ENGINE_SHARE_MAX} × the agent's`,
    ok: baseline > 0 && value / baseline <= ENGINE_SHARE_MAX,
    note: `s; ${whole}`,
  }
}

/** Measures the processor seconds of an engine, and of an agent started by hand, for a task with this many turns. */
async function processorOf(turns: number): Promise<{ readonly engine: number; readonly agent: number }> {
  const steps = Array.from({ length: turns - 1 }, (_, turn) => ({ run: `echo ${turn} >> t.txt` }))
  const { project, lab, close } = await claudeProject([{ id: 't', steps: [...steps, { report: 'done' }] }], {})
  try {
    const { processorSeconds: engine } = await timeCli(project, ['run'])
    // By hand, because the processor time of an engine's agents is not passed on to this process.
    const [all, own] = [processorSeconds(), process.cpuUsage()]
    await byHand(lab)(project, project.repository, { id: 't', path: 't.txt' })
    const { user, system } = process.cpuUsage(own)
    // The lab runs in this process.
    return { engine, agent: processorSeconds() - all - (user + system) / 1_000_000 }
  } finally {
    await close()
  }
}

async function handOff(): Promise<BenchResult> {
  const runs = []
  for (let run = 0; run < PAIRS; run += 1) runs.push({ boot: await bootMs(), ...(await handedOver()) })
  const [value, baseline] = [median(runs.map(({ gap }) => gap)), median(runs.map(({ boot }) => boot))]
  const own = runs.map(({ gap, boot }) => gap - boot)
  const calls = median(runs.map(({ extraCalls }) => extraCalls))
  return {
    name: 'a hand-off',
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${HAND_OFF_RATIO_MAX} × the agent's start, 1 call`,
    ok: value / baseline <= HAND_OFF_RATIO_MAX && calls === 1,
    note: `ms from asking for the note to the next session's first call, against a start; ${spread(own)} ms of our own; ${calls} call more`,
  }
}

const FULL = { input: 50, cacheRead: 210_000, output: 10 }

async function handedOver(): Promise<{ readonly gap: number; readonly extraCalls: number }> {
  const rules = [
    { match: 'your context window is nearly full', steps: [{ say: 'Done: one line.' }] },
    { task: 't', session: 1, steps: [{ run: 'echo 1 >> t.txt', usage: FULL }, { say: 'never' }] },
  ]
  const tasks = [{ id: 't', steps: [{ run: 'echo 2 >> t.txt' }, { report: 'done' }] }]
  const { project, lab, close } = await claudeProject(tasks, { rules })
  try {
    await timeCli(project, ['run'])
    const times = lab.requests.map(({ at }) => at)
    const note = lab.requests.findIndex(({ rule }) => rule === 1)
    // A run without a hand-off takes three calls: one per command and one for the report.
    return { gap: (times[note + 1] ?? Number.NaN) - (times[note] ?? Number.NaN), extraCalls: times.length - 3 }
  } finally {
    await close()
  }
}

/** Measures the time from the start of `claude -p` to its first request. */
async function bootMs(): Promise<number> {
  const [task] = trivialTasks(1)
  if (task === undefined) throw new Error('there is no task')
  const { project, lab, close } = await claudeProject(labTasks([task]), {})
  try {
    const startedAt = Date.now()
    await byHand(lab)(project, project.repository, task)
    return (lab.requests[0]?.at ?? Number.NaN) - startedAt
  } finally {
    await close()
  }
}
