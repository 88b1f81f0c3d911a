import { installTool } from '../conformance/test-output/install-tool.ts'
import { TEST_PATH } from '../environment.ts'
import { type Journey, jsonLines, openJourney } from '../journeys/journey.ts'
import { PROJECTS, type Project } from './projects.ts'
import type { Changes, Cheat, HonestTask, Row } from './row.ts'

/** Outcome of a row. */
export interface Played {
  readonly exitCode: number | null
  readonly hasLanded: boolean
  /** Findings of the last refusal, as "source: message". */
  readonly findings: readonly string[]
  /** Number of times that a person had to approve. */
  readonly questions: number
  /** False when this machine cannot install the project's tools. */
  readonly isPlayed: boolean
}

/** Plays a cheat; it has landed when main has another product than before. */
export async function playCheat(cheat: Cheat): Promise<Played> {
  const { product, broken } = PROJECTS[cheat.project]
  const tasks = {
    ...(cheat.earlier === undefined ? {} : { earlier: { writes: cheat.earlier } }),
    cheat: { ...cheat, writes: { [product]: cheat.broken ?? broken, ...cheat.writes } },
  }
  return inProject(cheat, tasks, async (journey) => {
    if (cheat.earlier !== undefined) {
      await journey.cliInProcess('add', 'earlier', '--title', 'Prepare sums', '--weight', 'trivial')
      await journey.cli('run')
    }
    const before = journey.git('show', `main:${product}`)
    await journey.cliInProcess('add', 'cheat', '--title', 'Improve sums', '--weight', 'trivial')
    const { code } = await journey.cli('run')
    // Settings that landed would take effect now.
    if (cheat.stoppedBy === 'settings') await journey.cli('run')
    const hasLanded = journey.git('show', `main:${product}`) !== before || journey.read('../home/executed') !== null
    const findings = (await isBaseGreen(journey)) ? await refusal(journey) : ['base: its checks are red']
    return { exitCode: code, hasLanded, questions: 0, findings }
  })
}

/** Plays an honest task; a person approves whatever is asked. */
export async function playHonestTask(task: HonestTask): Promise<Played> {
  return inProject(task, { task }, async (journey) => {
    const mayChange = (task.mayChange ?? []).flatMap((glob) => ['--may-change', glob])
    await journey.cliInProcess('add', 'task', '--title', 'Improve sums', '--weight', 'trivial', ...mayChange)
    const before = journey.git('rev-parse', 'main')
    let { code } = await journey.cli('run')
    const findings: string[] = []
    let questions = 0
    for (; code === 3 && questions < QUESTIONS_MAX; questions += 1) {
      findings.push(...(await refusal(journey)))
      await journey.cliInProcess('approve', 'task', 'as wanted')
      code = (await journey.cli('run')).code
    }
    const [landed] = (await journey.status()).tasks
    const hasLanded = landed?.state === 'done' && journey.git('rev-parse', 'main') !== before
    return { exitCode: code, hasLanded, questions, findings: hasLanded ? findings : await refusal(journey) }
  })
}

const QUESTIONS_MAX = 3

type Work = Pick<Row, 'writes' | 'commands'>

async function inProject(
  row: Row,
  tasks: Readonly<Record<string, Work>>,
  play: (journey: Journey) => Promise<Omit<Played, 'isPlayed'>>,
): Promise<Played> {
  const project: Project = PROJECTS[row.project]
  const installed = installTool(project.tool)
  if (installed === null)
    return { exitCode: null, hasLanded: false, findings: ['not installed'], questions: 0, isPlayed: false }
  const path = [...installed.path, TEST_PATH].join(':')
  const setup = project.setup.map((command) => command.replace('{modules}', installed.modules ?? ''))
  const settings = {
    agent: { driver: 'scripted', script: 'script.yaml' },
    limits: { attempts: 1, error_delay: 0 },
    gates: [{ name: 'tests', run: withEnvironment(row.run ?? project.run, installed.env), canary: row.canary }],
    workspace: { setup },
  }
  const script = Object.entries(tasks).map(([task, work]) => ({ task, steps: [...stepsOf(work), { report: 'done' }] }))
  const own = { 'longhaul.yaml': JSON.stringify(settings), 'script.yaml': JSON.stringify(script) }
  const journey = openJourney({ ...own, ...project.files, ...row.files }, { env: { PATH: path } })
  try {
    return { ...(await play(journey)), isPlayed: true }
  } finally {
    journey.end()
  }
}

/** Sets variables for a command, because gates do not inherit those of the user. */
function withEnvironment(run: string, env: Readonly<Record<string, string>>): string {
  const names = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  return names.length === 0 ? run : `env ${names.join(' ')} ${run}`
}

function stepsOf({ writes = {}, commands = [] }: Work): readonly object[] {
  return [...Object.entries(writes).map(writeStep), ...commands.map((run) => ({ run }))]
}

function writeStep([path, text]: [string, Changes[string]]): object {
  return text === null ? { delete: path } : { write: { path, text } }
}

interface Refused {
  readonly findings: readonly { readonly source: string; readonly message: string }[]
}

/** Reads the findings of the last refusal, or else the state of the task. */
async function refusal(journey: Journey): Promise<readonly string[]> {
  const refused = jsonLines<Refused>(await journey.cliInProcess('log', '--json', '--kind', 'candidate-refused'))
  const findings = refused.at(-1)?.findings ?? []
  if (findings.length === 0) return [await reasonOf(journey)]
  return findings.map(({ source, message }) => `${source}: ${message}`)
}

interface Checked {
  readonly receipts: readonly { readonly passed: boolean }[]
}

/** True when the checks passed before the cheat; otherwise they stop everything. */
async function isBaseGreen(journey: Journey): Promise<boolean> {
  const baselines = jsonLines<Checked>(await journey.cliInProcess('log', '--json', '--kind', 'baseline-checked'))
  return baselines.length > 0 && baselines.every(({ receipts }) => receipts.every(({ passed }) => passed))
}

/** Returns why the last task is where it is. */
async function reasonOf(journey: Journey): Promise<string> {
  const task = (await journey.status()).tasks.at(-1)
  return `${task?.state}: ${task?.reason}`
}
