import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cliFile, makeProject, type Project, timeCli } from './project.ts'
import { type BenchResult, median, spread } from './result.ts'
import { type TrivialTask, trivialFiles, trivialTasks } from './trivial-tasks.ts'

const ROUNDS = 3
const FILES = 50_000
const UNSAVED_FILES = 5_000
const FILES_PER_FOLDER = 1_000
const MS_MAX = 2_000
const OLD_MS = 8 * 24 * 3_600_000

/** Measures the time until a new engine starts work, beside the large leftovers of a killed one. */
export async function benchRestart(): Promise<BenchResult[]> {
  const tasks = trivialTasks(2 * ROUNDS + 1)
  const project = makeProject(trivialFiles(tasks))
  try {
    const [first, ...others] = tasks
    await runTask(project, first)
    const bare: number[] = []
    const beside: number[] = []
    for (const [index, task] of others.entries()) {
      if (index % 2 === 1) leaveBehind(project, index)
      const times = index % 2 === 1 ? beside : bare
      times.push(await runTask(project, task))
    }
    return [resultOf(beside, bare)]
  } finally {
    project.remove()
  }
}

function resultOf(beside: readonly number[], bare: readonly number[]): BenchResult {
  const [value, baseline] = [median(beside), median(bare)]
  const left = `a checkout of ${FILES} files and a workspace with ${UNSAVED_FILES} unsaved ones`
  return {
    name: 'restart beside leftovers',
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${MS_MAX} ms`,
    ok: value <= MS_MAX,
    note: `ms to the first attempt, median of ${ROUNDS} (${spread(beside)}; without ${spread(bare)}); left: ${left}`,
  }
}

/** Runs one more task; returns the time from the start of the process to the start of its attempt. */
async function runTask(project: Project, task: TrivialTask | undefined): Promise<number> {
  const file = join(project.folder, 'tasks.json')
  writeFileSync(file, JSON.stringify({ tasks: [{ id: task?.id, title: 'Write a file', weight: 'trivial' }] }))
  await timeCli(project, ['import', file])
  const startedAt = performance.now()
  const { repository: cwd, env } = project
  const child = spawn(process.execPath, [cliFile, 'run', '--json'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  let ms: number | null = null
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (ms === null && output.includes('"attempt-started"')) ms = performance.now() - startedAt
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0 || ms === null) throw new Error(`longhaul run ended with ${code}:\n${output.slice(-2_000)}`)
  return ms
}

/** Makes what a killed engine may leave: a checkout, and the workspace of an old attempt with unsaved work. */
function leaveBehind({ repository, env, git }: Project, index: number): void {
  const homes = join(env.XDG_STATE_HOME ?? '', 'longhaul')
  const home = join(homes, readdirSync(homes).find((name) => !name.includes('.lease')) ?? '')
  writeFiles(join(home, `check+out-old${index}`, 'tree'), FILES)
  const name = `old${index}-a1`
  const [root, own] = [join(home, name), join(home, '.own', name)]
  execFileSync('git', ['clone', '--quiet', '--shared', repository, join(root, 'tree')], { env })
  git('update-ref', `refs/longhaul/attempt/${name}`, 'HEAD')
  writeFiles(join(root, 'tree', 'unsaved'), UNSAVED_FILES)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'ready'), '')
  const old = new Date(Date.now() - OLD_MS)
  for (const folder of [root, own]) utimesSync(folder, old, old)
}

function writeFiles(folder: string, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const inner = join(folder, String(Math.floor(at / FILES_PER_FOLDER)))
    if (at % FILES_PER_FOLDER === 0) mkdirSync(inner, { recursive: true })
    writeFileSync(join(inner, `${at}.txt`), `${folder} ${at}\n`)
  }
}
