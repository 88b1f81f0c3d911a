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
import { type Ran, runHere } from './run-here.ts'

export type { Ran } from './run-here.ts'

/** A user's repository in a folder of its own, and the real command line in it. */
export interface Journey {
  /** Holds everything of the journey. */
  readonly folder: string
  readonly repository: string
  readonly env: Readonly<Record<string, string>>
  git(...args: readonly string[]): string
  write(path: string, text: string): void
  /** A file of the repository's checkout; null: not there. */
  read(path: string): string | null
  commit(message?: string): string
  /** Runs the command line to its end, in a process of its own. */
  cli(...args: readonly string[]): Promise<Ran>
  /** The same within the test's process, for what is asked and looked at on the way. */
  here(...args: readonly string[]): Promise<Ran>
  /** Runs the command line to its end, with a clock that is so much ahead. */
  ahead(ms: number, ...args: readonly string[]): Promise<Ran>
  /** Starts the command line, in the repository or elsewhere. */
  start(args: readonly string[], folder?: string): Started
  status(): Promise<StatusSeen>
  /** Settles when an attempt's workspace has a file. */
  written(attempt: string, path: string): Promise<void>
  /** Ends what was started and removes everything. */
  end(): void
}

/** A command that is running. */
export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ran>
  /** Settles when this has been said, on either stream. */
  said(text: string | RegExp): Promise<void>
}

/** What tests read of a status. */
export interface StatusSeen {
  readonly run: { readonly id: string; readonly state: string; readonly targetBehind: boolean } | null
  readonly tasks: readonly {
    readonly id: string
    readonly state: string
    readonly attempts: number
    readonly reason: string | null
    readonly branch: string | null
    readonly commit: string | null
    readonly proof: string | null
    readonly spendUsd: number | null
  }[]
  readonly totals: { readonly usd: number; readonly turns: number }
}

/** Where and how a journey is made. */
export interface JourneyOptions {
  /** Where its folder is made. */
  readonly parent?: string
  /** The name of the repository's folder. */
  readonly name?: string
  readonly env?: Readonly<Record<string, string>>
  /** Programs of the test's own, found before any others: name and shell text. */
  readonly programs?: Readonly<Record<string, string>>
}

/** A program in the place of bwrap that makes the engine use its guard instead. */
export const NO_BWRAP = { bwrap: 'exit 1' }

/** Work and our checks alone, for journeys that are not about reviews. */
export const SHORT_WAY = 'workflows: { small: { phases: [ { name: implement }, { name: verify, by: script } ] } }\n'

/** Settings that play script.yaml, pass unless a file "red" is there, and wait for nothing. */
export const SETTINGS = `agent: { driver: scripted, script: script.yaml }
gates: [ { name: tests, run: "test ! -e red" } ]
limits: { error_delay: 0, limit_delay: 0 }
${SHORT_WAY}`

/** A script in which every task writes a file of its own. */
export const WRITES =
  '- { task: "*", steps: [ { run: "echo $LONGHAUL_TASK > $LONGHAUL_TASK.txt" }, { report: done } ] }\n'

/** Makes a repository with one commit on main. */
export function openJourney(
  files: Readonly<Record<string, string>> = { 'longhaul.yaml': SETTINGS, 'script.yaml': WRITES },
  { parent = tmpdir(), name = 'my project', env: more = {}, programs = {} }: JourneyOptions = {},
): Journey {
  ensureBuilt()
  const folder = realpathSync(mkdtempSync(join(parent, 'longhaul journey ')))
  const repository = join(folder, name)
  const bin = join(folder, 'bin')
  const env = {
    ...testEnvironment(join(folder, 'home')),
    PATH: [bin, TEST_PATH].join(delimiter),
    XDG_STATE_HOME: join(folder, 'state'),
    ...more,
  }
  for (const made of [repository, env.HOME, bin]) mkdirSync(made)
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

/** A task file with tasks of these ids, each after those that follow its colon: "b: a". */
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

/** The JSON documents of an output, one per line. */
export function jsonLines<T = Record<string, unknown>>({ stdout }: Pick<Ran, 'stdout'>): readonly T[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

/** Settles when something is so; throws, saying what it waited for, when it does not come true in time. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + HANG_MS
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`waited ${HANG_MS} ms in vain for ${what}`)
    await pause(LOOK_MS)
  }
}

const LOOK_MS = 20

function journeyIn(folder: string, repository: string, env: Readonly<Record<string, string>>): Journey {
  const started = new Set<ChildProcess>()
  const startNode = (args: readonly string[], cwd: string): Started => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    started.add(child)
    return startedFrom(child)
  }
  const start = (args: readonly string[], at = repository) => startNode([mainFile, ...args], at)
  const ahead = (ms: number, ...args: readonly string[]) =>
    startNode(['--import', clockAhead(ms), mainFile, ...args], repository).ended
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: repository, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const cli = (...args: readonly string[]) => start(args).ended
  const here = (...args: readonly string[]) => runHere(args, dirname(mainFile), repository, env)
  return {
    folder,
    repository,
    env,
    git,
    start,
    cli,
    ahead,
    here,
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
    async written(attempt, path) {
      const home = join(env.XDG_STATE_HOME ?? '', 'longhaul')
      const isThere = () => namesIn(home).some((name) => existsSync(join(home, name, attempt, 'tree', path)))
      await until(`${path} of ${attempt}`, isThere)
    },
    status: async () => JSON.parse((await here('status', '--json')).stdout) as StatusSeen,
    end() {
      for (const child of started) child.kill('SIGKILL')
      // What bwrap and the guard end, ends a moment after.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

function clockAhead(ms: number): string {
  return `data:text/javascript,const now = Date.now; Date.now = () => now() + ${ms}`
}

function startedFrom(child: ChildProcess): Started {
  let stdout = ''
  let stderr = ''
  const listeners = new Set<() => void>()
  const heard = () => {
    for (const listener of listeners) listener()
  }
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    heard()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
    heard()
  })
  const ended = new Promise<Ran>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
  const said = (text: string | RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        const all = `${stdout}\n${stderr}`
        if (typeof text === 'string' ? all.includes(text) : text.test(all)) resolve()
      }
      listeners.add(look)
      void ended.then(() => reject(new Error(`ended without saying ${String(text)}:\n${stdout}\n${stderr}`)))
      look()
    })
  return { child, ended, said }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
