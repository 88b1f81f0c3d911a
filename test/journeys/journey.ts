import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureBuilt, mainFile } from '../conformance/built.ts'
import { TEST_PATH, testEnvironment } from '../environment.ts'
import { HANG_MS } from '../patience.ts'
import { type CommandResult, runInProcess } from './run-in-process.ts'

export type { CommandResult } from './run-in-process.ts'

/** A user's repository in a temporary folder, with the real command line. */
export interface Journey {
  /** Folder that holds everything of the journey. */
  readonly folder: string
  readonly repository: string
  readonly env: Readonly<Record<string, string>>
  git(...args: readonly string[]): string
  write(path: string, text: string): void
  /** Reads a file of the repository's checkout, or returns null when there is none. */
  read(path: string): string | null
  commit(message?: string): string
  /** Runs the command line to its end in a new process. */
  cli(...args: readonly string[]): Promise<CommandResult>
  /** Runs the command line to its end in the test's process, which is much faster. */
  cliInProcess(...args: readonly string[]): Promise<CommandResult>
  /** Runs the command line to its end with a clock that is this much ahead. */
  cliAhead(ms: number, ...args: readonly string[]): Promise<CommandResult>
  /** Starts the command line in the repository or another folder. */
  start(args: readonly string[], folder?: string): RunningCommand
  status(): Promise<StatusJson>
  /** Resolves when an attempt's workspace has a file. */
  workspaceHas(attempt: string, path: string): Promise<void>
  /** Kills started processes and removes everything. */
  end(): void
}

/** A command that is running. */
export interface RunningCommand {
  readonly child: ChildProcess
  readonly ended: Promise<CommandResult>
  /** Resolves when this text was printed on stdout or stderr. */
  printed(text: string | RegExp): Promise<void>
}

/** Fields of the status that tests read. */
export interface StatusJson {
  readonly run: { readonly id: string; readonly state: string; readonly targetBehind: boolean } | null
  readonly tasks: readonly {
    readonly id: string
    readonly state: string
    readonly attempts: number
    readonly reason: string | null
    readonly branch: string | null
    readonly commit: string | null
    readonly proof: string | null
    readonly revert: string | null
    readonly spendUsd: number | null
  }[]
  readonly totals: { readonly usd: number; readonly turns: number }
}

/** Options for creating a journey. */
export interface JourneyOptions {
  /** Folder in which the journey's folder is created. */
  readonly parent?: string
  /** Name of the repository's folder. */
  readonly name?: string
  readonly env?: Readonly<Record<string, string>>
  /** Level of the sandbox; most journeys are not about it, and signal by files outside of workspaces. */
  readonly sandbox?: 'trusted' | 'standard' | 'strict'
  /** Programs that come first on PATH: name and shell text. */
  readonly programs?: Readonly<Record<string, string>>
}

/** A bwrap that fails, so that the engine uses its guard. */
export const NO_BWRAP = { bwrap: 'exit 1' }

/** Workflow with work and checks only, for journeys that are not about reviews. */
export const WITHOUT_REVIEWS =
  'workflows: { small: { phases: [ { name: implement }, { name: verify, by: script } ] } }\n'

/** Settings that play script.yaml, with a check that fails when a file "red" exists, and no delays. */
export const SETTINGS = `agent: { driver: scripted, script: script.yaml }
gates: [ { name: tests, run: "test ! -e red" } ]
limits: { error_delay: 0, limit_delay: 0 }
${WITHOUT_REVIEWS}`

/** Script in which every task writes its own file. */
export const WRITES =
  '- { task: "*", steps: [ { run: "echo $LONGHAUL_TASK > $LONGHAUL_TASK.txt" }, { report: done } ] }\n'

/** Creates a repository with one commit on main. */
export function openJourney(
  files: Readonly<Record<string, string>> = { 'longhaul.yaml': SETTINGS, 'script.yaml': WRITES },
  {
    sandbox = 'trusted',
    parent = parentFor(sandbox),
    name = 'my project',
    env: more = {},
    programs = {},
  }: JourneyOptions = {},
): Journey {
  ensureBuilt()
  const folder = realpathSync(mkdtempSync(join(parent, 'longhaul journey ')))
  const repository = join(folder, name)
  const bin = join(folder, 'bin')
  const env = {
    ...testEnvironment(join(folder, 'home')),
    PATH: [bin, TEST_PATH].join(delimiter),
    XDG_STATE_HOME: join(folder, 'state'),
    LONGHAUL_SANDBOX: sandbox,
    ...more,
  }
  for (const path of [repository, env.HOME, bin]) mkdirSync(path)
  for (const [program, text] of Object.entries(programs)) {
    writeFileSync(join(bin, program), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  }
  const journey = journeyIn(folder, repository, env)
  journey.git('init', '--quiet', '--initial-branch=main', '--template=')
  appendFileSync(join(repository, '.git/config'), '[user]\n\tname = Ursula User\n\temail = user@example.org\n')
  for (const [path, text] of Object.entries(files)) journey.write(path, text)
  journey.git('add', '--all')
  journey.git('commit', '--quiet', '--allow-empty', '-m', 'first')
  return journey
}

/** Writes a task file with these ids; dependencies follow a colon: "b: a". */
export function taskFile(...tasks: readonly string[]): string {
  const entries = tasks.map((task) => {
    const [id = '', after = ''] = task.split(':')
    return {
      id,
      title: `Task ${id}`,
      weight: 'trivial',
      after: after
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    }
  })
  return JSON.stringify({ tasks: entries })
}

/** Parses the JSON documents of an output, one per line. */
export function jsonLines<T = Record<string, unknown>>({ stdout }: Pick<CommandResult, 'stdout'>): readonly T[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

/** Resolves when a condition is true; throws an error that names it when that takes too long. */
export async function waitUntil(what: string, isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + HANG_MS
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error(`waited ${HANG_MS} ms in vain for ${what}`)
    await pause(POLL_MS)
  }
}

const POLL_MS = 20

// In a sandbox /tmp is empty, so a journey there shows that workspaces, programs and objects are found all the same.
function parentFor(sandbox: JourneyOptions['sandbox']): string {
  return sandbox === 'trusted' ? tmpdir() : '/tmp'
}

function journeyIn(folder: string, repository: string, env: Readonly<Record<string, string>>): Journey {
  const started = new Set<ChildProcess>()
  const startNode = (args: readonly string[], cwd: string): RunningCommand => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    started.add(child)
    return startedFrom(child)
  }
  const start = (args: readonly string[], at = repository) => startNode([mainFile, ...args], at)
  const cliAhead = (ms: number, ...args: readonly string[]) =>
    startNode(['--import', clockAhead(ms), mainFile, ...args], repository).ended
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: repository, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const cli = (...args: readonly string[]) => start(args).ended
  const cliInProcess = (...args: readonly string[]) => runInProcess(args, dirname(mainFile), repository, env)
  return {
    folder,
    repository,
    env,
    git,
    start,
    cli,
    cliAhead,
    cliInProcess,
    write(path, text) {
      mkdirSync(dirname(join(repository, path)), { recursive: true })
      writeFileSync(join(repository, path), text)
    },
    read: (path) => (existsSync(join(repository, path)) ? readFileSync(join(repository, path), 'utf8') : null),
    commit(message = 'work') {
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '-m', message)
      return git('rev-parse', 'HEAD')
    },
    async workspaceHas(attempt, path) {
      const home = join(env.XDG_STATE_HOME ?? '', 'longhaul')
      const exists = () => namesIn(home).some((name) => existsSync(join(home, name, attempt, 'tree', path)))
      await waitUntil(`${path} of ${attempt}`, exists)
    },
    status: async () => JSON.parse((await cliInProcess('status', '--json')).stdout) as StatusJson,
    end() {
      for (const child of started) child.kill('SIGKILL')
      // Processes that bwrap and the guard end may live a moment longer.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

function clockAhead(ms: number): string {
  return `data:text/javascript,const now = Date.now; Date.now = () => now() + ${ms}`
}

function startedFrom(child: ChildProcess): RunningCommand {
  let stdout = ''
  let stderr = ''
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    notify()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
    notify()
  })
  const ended = new Promise<CommandResult>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
  const printed = (text: string | RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        const all = `${stdout}\n${stderr}`
        if (typeof text === 'string' ? all.includes(text) : text.test(all)) resolve()
      }
      listeners.add(look)
      void ended.then(() => reject(new Error(`ended without printing ${String(text)}:\n${stdout}\n${stderr}`)))
      look()
    })
  return { child, ended, printed }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
