import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeProject, type Project, timeCli } from './project.ts'
import { type BenchResult, median, spread } from './result.ts'
import { asTaskFile, type TrivialTask, trivialTasks } from './trivial-tasks.ts'

const TASKS = 3
const SUITE_MS = 10_000
const PROVEN_MAX = 2.0
// Without a proof a landing does the same as before; the rest is the machine's other work.
const UNPROVEN_MAX = 1.1

/** Compares landings whose check is proven, by a planted failure and the tests of the base, with landings without. */
export async function benchProof(): Promise<BenchResult[]> {
  const never = await landings('never', 'product')
  const changed = await landings('changed', 'product')
  const always = await landings('always', 'tests')
  return [
    result('a landing with canary and base tests', always, never, PROVEN_MAX),
    result('a landing that needs neither', changed, never, UNPROVEN_MAX),
  ]
}

function result(name: string, times: readonly number[], plain: readonly number[], bound: number): BenchResult {
  const [value, baseline] = [median(times), median(plain)]
  const ranges = `${spread(times)}, without ${spread(plain)}`
  return {
    name,
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${bound} × one without`,
    ok: value / baseline <= bound,
    note: `ms, median of ${TASKS} (${ranges}), with a suite that waits ${SUITE_MS / 1000} s`,
  }
}

/** Lands tasks that change the product or an existing test, and returns the time from candidate to landing of each. */
async function landings(canary: 'never' | 'changed' | 'always', changes: 'product' | 'tests'): Promise<number[]> {
  const tasks = trivialTasks(TASKS)
  const project = makeProject(filesFor(tasks, canary, changes))
  try {
    const file = join(project.folder, 'tasks.json')
    writeFileSync(file, asTaskFile(tasks))
    await timeCli(project, ['import', file])
    await timeCli(project, ['run'])
    return await landingTimes(project)
  } finally {
    project.remove()
  }
}

async function landingTimes(project: Project): Promise<number[]> {
  const { stdout } = await timeCli(project, ['log', '--json', '--kind', 'candidate-prepared,landed'])
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; at: string })
  const times: number[] = []
  let preparedAt = 0
  for (const { kind, at } of events) {
    if (kind === 'candidate-prepared') preparedAt = Date.parse(at)
    else times.push(Date.parse(at) - preparedAt)
  }
  if (times.length !== TASKS) throw new Error(`${times.length} of ${TASKS} tasks have landed`)
  return times
}

function filesFor(
  tasks: readonly TrivialTask[],
  when: string,
  changes: 'product' | 'tests',
): Readonly<Record<string, string>> {
  const tests = Object.fromEntries(tasks.map(({ id }) => [`${id}.test.js`, testText(id, 'a test')]))
  const rules = tasks.map(({ id, path, text }) => {
    const test = { path: `${id}.test.js`, text: testText(id, 'the same test, tidied up') }
    return { task: id, steps: [{ write: changes === 'tests' ? test : { path, text } }, { report: 'done' }] }
  })
  const gates = [{ name: 'tests', run: 'node --test', canary: when }]
  const budget = { task_usd: null, run_usd: null, day_usd: null }
  const agent = { driver: 'scripted', script: 'script.yaml' }
  return {
    ...tests,
    'slow.test.js': `require('node:test').test('waits', (_, done) => setTimeout(done, ${SUITE_MS}))\n`,
    'script.yaml': JSON.stringify(rules),
    'longhaul.yaml': JSON.stringify({ agent, limits: { parallel: TASKS }, budget, gates }),
  }
}

function testText(id: string, remark: string): string {
  return `// ${remark}\nrequire('node:test').test('${id}', () => {})\n`
}
