import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '../src/adapters/stores/sqlite/open-sqlite-store.ts'
import { type LoadedSettings, loadSettings } from '../src/config/load.ts'
import type { Settings } from '../src/core/model/settings.ts'
import type { Backlog } from '../src/core/model/task.ts'
import type { RunState } from '../src/core/run/state.ts'
import { jsonLinesOf, makeBacklog, type Shape, yamlOf } from './backlog.ts'
import { type Held, holdInChild } from './hold-run.ts'
import { LedgerWriter } from './ledger-writer.ts'
import { makeProject, timeBareNode, timeCli } from './project.ts'
import { good } from './real-adapters.ts'
import { type BenchResult, median, percentile, spread } from './result.ts'
import { type Listener, playRun } from './synthetic-run.ts'

const TASKS = 10_000
const LIVE = 10
const ROUNDS = 3
const JSONL_MS_MAX = 5_000
const YAML_MS_MAX = 15_000
const DECISION_RATIO_MAX = 3
const FOLD_RATIO_MAX = 1.5
const STATUS_MS_MAX = 2_000
const RESIDENT_RATIO_MAX = 2.5
const GROWTH_MAX = 1.5
/** Counts of finished tasks at which the cost of an event is measured, give or take AROUND. */
const MILEPOSTS = [1_000, 3_000, 9_500] as const
const AROUND = 500
/** Number of inputs that open the run and add its tasks. */
const OPENING = 4
const FIRST_DONE = 2_000
/** A run small enough that nothing in it is slow. */
const SMALL = { tasks: 1_000, done: 200 }

const SETTINGS = `agent: { driver: scripted, script: script.yaml }
gates: [ { name: tests, run: "true" } ]
budget: { task_usd: 5, run_usd: 1000000, day_usd: 1000000 }
`

/** Measures a run of ten thousand tasks: importing, deciding, folding, showing and holding it. */
export async function benchBigRun(): Promise<BenchResult[]> {
  const settings = (loadSettings({ file: null, text: SETTINGS }) as LoadedSettings).settings
  const backlog = makeBacklog(TASKS, 'strands')
  const [steps, writer] = [new Steps(), new LedgerWriter()]
  const state = playRun(backlog, settings, both(steps, writer), TASKS - LIVE)
  return [
    ...(await benchImports(backlog)),
    ...(['strands', 'wide', 'milestones'] as const).map((shape) => decisions(shape, settings)),
    growth(steps),
    ...(await benchLedger(writer, state)),
  ]
}

async function benchImports(backlog: Backlog): Promise<BenchResult[]> {
  const project = makeProject({ 'longhaul.yaml': SETTINGS })
  const files = { 'tasks.jsonl': jsonLinesOf(backlog), 'tasks.yaml': yamlOf(backlog) }
  const times = { 'tasks.jsonl': [] as number[], 'tasks.yaml': [] as number[], bare: [] as number[] }
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project.folder, name), text)
    for (let round = 0; round < ROUNDS; round += 1) {
      times.bare.push(await timeBareNode())
      for (const name of ['tasks.jsonl', 'tasks.yaml'] as const) {
        rmSync(join(project.repository, '.git', 'longhaul'), { recursive: true, force: true })
        times[name].push((await timeCli(project, ['import', join(project.folder, name)])).ownMs)
      }
    }
  } finally {
    project.remove()
  }
  return [
    importResult('JSONL', times['tasks.jsonl'], times.bare, JSONL_MS_MAX),
    importResult('YAML', times['tasks.yaml'], times.bare, YAML_MS_MAX),
  ]
}

function importResult(form: string, times: readonly number[], bare: readonly number[], msMax: number): BenchResult {
  const [value, baseline] = [Math.min(...times), Math.min(...bare)]
  return {
    name: `import of ${TASKS} tasks, ${form}`,
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${msMax} ms`,
    ok: value <= msMax,
    note: `ms without other processes, best of ${ROUNDS} (${spread(times)}); baseline: bare node`,
  }
}

/** Decision time of each input, with the facts it led to and the tasks finished by then. */
class Steps implements Listener {
  readonly ms: number[] = []
  readonly events: number[] = []
  readonly done: number[] = []

  stepped(...[ms, events, state]: Parameters<Listener['stepped']>): void {
    this.ms.push(ms)
    this.events.push(events.length)
    this.done.push(state.counts.done)
  }

  attemptAppended(): void {}
}

function both(steps: Steps, writer: LedgerWriter): Listener {
  return {
    stepped(...args) {
      steps.stepped(...args)
      writer.stepped(...args)
    },
    attemptAppended: (...args) => writer.attemptAppended(...args),
  }
}

/** Plays the start of a run, when the most tasks are ready. */
function firstSteps(shape: Shape, settings: Settings, { tasks, done } = { tasks: TASKS, done: FIRST_DONE }): Steps {
  const steps = new Steps()
  playRun(makeBacklog(tasks, shape), settings, steps, done)
  return steps
}

function decisions(shape: Shape, settings: Settings): BenchResult {
  const { ms: small } = firstSteps(shape, settings, SMALL)
  const { ms } = firstSteps(shape, settings)
  const [value, baseline] = [percentile(ms, 0.99), percentile(small, 0.99)]
  const adding = percentile(ms.slice(0, OPENING), 1).toFixed(0)
  const rare = `p99.9 ${percentile(ms, 0.999).toFixed(2)}, max ${percentile(ms.slice(OPENING), 1).toFixed(0)}`
  return {
    name: `decision among ${TASKS} tasks, ${shape}`,
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${DECISION_RATIO_MAX} × that among ${SMALL.tasks}`,
    ok: value / baseline <= DECISION_RATIO_MAX,
    note: `ms, p99 of ${ms.length} inputs; p50 ${median(ms).toFixed(2)}, ${rare}; adding all tasks ${adding}`,
  }
}

/** Compares the cost per event late and early; in strands only the number of finished tasks grows. */
function growth(steps: Steps): BenchResult {
  const [baseline = 0, middle = 0, value = 0] = MILEPOSTS.map((milepost) => usPerEvent(steps, milepost))
  return {
    name: 'cost per event, 10k against 1k finished tasks',
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${GROWTH_MAX} × at 1k`,
    ok: value / baseline <= GROWTH_MAX,
    note: `µs; at 3k ${middle.toFixed(1)}`,
  }
}

/** Leaves out the slowest inputs, which other processes interrupted. */
function usPerEvent({ ms, events, done }: Steps, milepost: number): number {
  const near = [...done.keys()].filter((index) => Math.abs((done[index] ?? 0) - milepost) <= AROUND)
  const slow = percentile(
    near.map((index) => ms[index] ?? 0),
    0.99,
  )
  const kept = near.filter((index) => (ms[index] ?? 0) <= slow)
  const sum = (numbers: readonly number[]) => kept.reduce((total, index) => total + (numbers[index] ?? 0), 0)
  return (sum(ms) * 1_000) / sum(events)
}

async function benchLedger(writer: LedgerWriter, state: RunState): Promise<BenchResult[]> {
  const project = makeProject({ 'longhaul.yaml': SETTINGS })
  try {
    const store = good(await openSqliteStore({ folder: join(project.repository, '.git', 'longhaul') }))
    await writer.write(store, state)
    await store.close()
    const held: Held[] = []
    const shown: number[] = []
    const bare: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await timeBareNode())
      shown.push((await timeCli(project, ['status', '--json'])).ownMs)
      held.push(await holdInChild(project))
    }
    return [foldResult(held, writer.counts), statusResult(shown, bare), residentResult(held)]
  } finally {
    project.remove()
  }
}

function foldResult(held: readonly Held[], { run, attempts }: LedgerWriter['counts']): BenchResult {
  const folds = held.map(({ runMs, attemptsMs }) => runMs + attemptsMs)
  const [value, baseline] = [Math.min(...folds), Math.min(...held.map(({ readMs }) => readMs))]
  const runAlone = `the run's ${run} alone ${Math.min(...held.map(({ runMs }) => runMs)).toFixed(0)}`
  return {
    name: `fold of ${run + attempts} events`,
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${FOLD_RATIO_MAX} × reading and parsing`,
    ok: value / baseline <= FOLD_RATIO_MAX,
    note: `ms, best of ${ROUNDS} fresh processes (${spread(folds)}); ${runAlone}; baseline: reading and parsing them`,
  }
}

function statusResult(shown: readonly number[], bare: readonly number[]): BenchResult {
  const [value, baseline] = [Math.min(...shown), Math.min(...bare)]
  return {
    name: `status --json of ${TASKS} tasks`,
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${STATUS_MS_MAX} ms`,
    ok: value <= STATUS_MS_MAX,
    note: `ms without other processes, best of ${ROUNDS} (${spread(shown)}); baseline: bare node`,
  }
}

function residentResult(held: readonly Held[]): BenchResult {
  const peak = spread(held.map(({ peakMb }) => peakMb))
  const [value, baseline] = [median(held.map(({ residentMb }) => residentMb)), median(held.map(({ bareMb }) => bareMb))]
  return {
    name: `engine that holds ${TASKS} tasks`,
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${RESIDENT_RATIO_MAX} × without the run`,
    ok: value / baseline <= RESIDENT_RATIO_MAX,
    note: `MB resident, median of ${ROUNDS}, peak ${peak}; baseline: before the ledger was opened`,
  }
}
