import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { packageFile } from '../src/package/package-file.ts'
import { testEnvironment } from '../test/environment.ts'

/** A repository of the bench's own, with a private HOME. */
export interface Project {
  /** Holds everything of it. */
  readonly folder: string
  readonly repository: string
  readonly env: Readonly<Record<string, string>>
  git(...args: readonly string[]): string
  /** Lets every git process under this HOME leave a file that tells when it started and ended; returns their folder. */
  traceGit(): string
  remove(): void
}

/** How a timed program ended. */
export interface Timed {
  readonly ms: number
  /** Without the time in which it could have gone on and the machine did other work. */
  readonly ownMs: number
  /** Seconds of processor time of the program itself, without those of what it started. */
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
  for (const made of [repository, env.HOME]) mkdirSync(made)
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

/** Runs the built command line in a project, to a good end. */
export function timeCli({ repository, env }: Project, args: readonly string[]): Promise<Timed> {
  return timeNode([cliFile, ...args], repository, env)
}

/** What a Node process takes that does nothing, without the machine's other work. */
export async function timeBareNode(): Promise<number> {
  return (await timeNode(['-e', '0'], '/', {})).ownMs
}

/** Runs a Node program to a good end; anything else is a fault of the bench. */
export function timeNode(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<Timed> {
  const startedAt = performance.now()
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const
  const child = spawn(process.execPath, ['--import', TELL_DELAY, ...args], { cwd, env, stdio: [...stdio] })
  const [said, complaint, delay] = [1, 2, 3].map((fd) => gather(child.stdio[fd] as Readable))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      const ms = performance.now() - startedAt
      const stdout = said?.() ?? ''
      const told = delay?.() ?? ''
      const processorSeconds = Number(told.split(' ')[3]) / 1_000_000
      if (code === 0) resolve({ ms, ownMs: ms - delayMsIn(told), processorSeconds, stdout })
      else reject(new Error(`node ${args.join(' ')} ended with ${code}:\n${stdout.slice(-2_000)}\n${complaint?.()}`))
    })
  })
}

/** How long work in this process takes, without the machine's other work. */
export async function ownMsOf(work: () => Promise<unknown>): Promise<number> {
  const [startedAt, delayed] = [performance.now(), delayMs()]
  await work()
  return performance.now() - startedAt - (delayMs() - delayed)
}

/** How long this process could have gone on so far while the machine did other work. */
export function delayMs(): number {
  return delayMsIn(readFileSync(SCHEDULE, 'latin1'))
}

// The kernel counts, for each thread, how long it ran and how long it was ready to run and had to wait.
const SCHEDULE = '/proc/self/schedstat'
const TELL_DELAY = `data:text/javascript,import { readFileSync, writeSync } from 'node:fs';
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

/** Seconds of processor time that this process and all that it has seen end have used. */
export function processorSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}

const TICKS_PER_SECOND = 100
