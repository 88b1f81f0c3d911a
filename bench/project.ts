import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { packageFile } from '../src/package/package-file.ts'
import { testEnvironment } from '../test/environment.ts'

/** Repository made for a bench, with a private HOME. */
export interface Project {
  /** Folder that contains everything of it. */
  readonly folder: string
  readonly repository: string
  readonly env: Readonly<Record<string, string>>
  git(...args: readonly string[]): string
  /** Makes every git process under this HOME write a file with its start and end; returns their folder. */
  traceGit(): string
  remove(): void
}

/** Measurements of a program that ended well. */
export interface Timed {
  readonly ms: number
  /** `ms` without the time spent waiting for a processor. */
  readonly ownMs: number
  /** Processor seconds of the program itself, without its children. */
  readonly processorSeconds: number
  readonly stdout: string
}

/** The built command line. */
export const cliFile = packageFile('dist/main.js')

/** Makes a repository with these files committed on main. */
export function makeProject(files: Readonly<Record<string, string>>): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-bench-')))
  const repository = join(folder, 'project')
  const env = { ...testEnvironment(join(folder, 'home')), XDG_STATE_HOME: join(folder, 'state') }
  for (const folder of [repository, env.HOME]) mkdirSync(folder)
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: repository, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  writeFileSync(join(env.HOME, '.gitconfig'), '[user]\n\tname = Bench\n\temail = bench@example.org\n')
  git('init', '--quiet', '--initial-branch=main')
  for (const [path, text] of Object.entries(files)) writeFileSync(join(repository, path), text)
  git('add', '--all')
  git('commit', '--quiet', '-m', 'first')
  return {
    folder,
    repository,
    env,
    git,
    traceGit() {
      const traces = join(folder, 'traces')
      mkdirSync(traces)
      appendFileSync(join(env.HOME, '.gitconfig'), `[trace2]\n\teventTarget = ${traces}\n`)
      return traces
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  }
}

/** Runs the built command line in a project; throws unless it exits with 0. */
export function timeCli({ repository, env }: Project, args: readonly string[]): Promise<Timed> {
  return timeNode([cliFile, ...args], repository, env)
}

/** Measures a Node process that does nothing, without the time spent waiting for a processor. */
export async function timeBareNode(): Promise<number> {
  return (await timeNode(['-e', '0'], '/', {})).ownMs
}

/** Runs a Node program; throws unless it exits with 0. */
export function timeNode(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<Timed> {
  const startedAt = performance.now()
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const
  const child = spawn(process.execPath, ['--import', REPORT_DELAY, ...args], { cwd, env, stdio: [...stdio] })
  const [stdoutOf, stderrOf, delay] = [1, 2, 3].map((fd) => gather(child.stdio[fd] as Readable))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      const ms = performance.now() - startedAt
      const stdout = stdoutOf?.() ?? ''
      const schedule = delay?.() ?? ''
      const processorSeconds = Number(schedule.split(' ')[3]) / 1_000_000
      if (code === 0) resolve({ ms, ownMs: ms - delayMsIn(schedule), processorSeconds, stdout })
      else reject(new Error(`node ${args.join(' ')} ended with ${code}:\n${stdout.slice(-2_000)}\n${stderrOf?.()}`))
    })
  })
}

/** Measures work in this process, without the time spent waiting for a processor. */
export async function ownMsOf(work: () => Promise<unknown>): Promise<number> {
  const [startedAt, delayed] = [performance.now(), delayMs()]
  await work()
  return performance.now() - startedAt - (delayMs() - delayed)
}

/** Returns the total time this process has waited for a processor. */
export function delayMs(): number {
  return delayMsIn(readFileSync(SCHEDULE, 'latin1'))
}

// The kernel counts for each thread how long it ran and how long it waited for a processor.
const SCHEDULE = '/proc/self/schedstat'
const REPORT_DELAY = `data:text/javascript,import { readFileSync, writeSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, readFileSync('${SCHEDULE}', 'latin1').trim() + ' ' + (user + system))
})`

function delayMsIn(schedule: string): number {
  return Number(schedule.split(' ')[1]) / 1_000_000
}

function gather(pipe: Readable): () => string {
  const chunks: Buffer[] = []
  pipe.on('data', (chunk: Buffer) => void chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

/** Returns the processor seconds of this process and of all children that have ended. */
export function processorSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}

const TICKS_PER_SECOND = 100
