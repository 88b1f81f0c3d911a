import { existsSync } from 'node:fs'
import { durationText } from '../core/limits/duration-text.ts'
import { type Problem, problem } from '../core/model/problem.ts'
import { redirectsGit } from '../process/start/environment.ts'
import { type Command, type CommandResult, type RunCommand, runCommand } from '../process/start/run-command.ts'
import { gitDiskProblem, gitProblem } from './git-problem.ts'
import { isRepeatable } from './repeatable.ts'

/** Place that git works in: a folder inside a repository, or an explicit git folder. */
export interface GitPlace {
  readonly folder: string
  readonly gitDir?: string
  readonly workTree?: string
  /** Folder that gets new objects, instead of the repository's; nothing in it has to survive a power failure. */
  readonly objects?: string
  /** Folders of objects that are read besides. */
  readonly borrowed?: readonly string[]
}

export interface GitOptions {
  readonly input?: string
  /** File that git reads as its input. */
  readonly inputFile?: string
  /** New file that gets the output. */
  readonly outputFile?: string
  readonly outputMax?: number
  /** Index file to use instead of the repository's. */
  readonly index?: string
  /** Settings for this call only. */
  readonly settings?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Only for commands that may be left unfinished. */
  readonly signal?: AbortSignal
}

/** Outcome of a git command with any exit code. */
export interface GitAnswer {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs git at one place in a clean environment. */
export interface Git {
  readonly place: GitPlace
  /** Runs a command whose exit code is an answer; a problem only when git could not run at all. */
  ask(args: readonly string[], options?: GitOptions): Promise<GitAnswer | Problem>
  /** Runs a command that should succeed, and returns its stdout. */
  run(args: readonly string[], options?: GitOptions): Promise<string | Problem>
  /** Returns git for another place. */
  at(place: GitPlace): Git
  /** Returns git for this place whose commands another runner runs. */
  through(runner: RunCommand): Git
}

/** Returns git for a place, without environment variables that could redirect it. */
export function gitAt(
  place: GitPlace,
  environment: Readonly<Record<string, string>>,
  runner: RunCommand = runCommand,
): Git {
  const env = cleanEnvironment(environment)
  const ask = (args: readonly string[], options: GitOptions = {}) => execute({ place, env, runner }, args, options)
  return {
    place,
    ask,
    async run(args, options = {}) {
      const answer = await ask(args, options)
      if ('kind' in answer) return answer
      return answer.exitCode === 0 ? answer.stdout : gitProblem(args, place.folder, answer.stderr)
    },
    at: (other) => gitAt(other, environment, runner),
    through: (other) => gitAt(place, environment, other),
  }
}

/** Returns git whose commands end when a signal aborts; only for work that may be left unfinished. */
export function cancellable(git: Git, signal: AbortSignal): Git {
  return {
    place: git.place,
    ask: (args, options) => git.ask(args, { ...options, signal }),
    run: (args, options) => git.run(args, { ...options, signal }),
    at: (place) => cancellable(git.at(place), signal),
    through: (runner) => cancellable(git.through(runner), signal),
  }
}

/** Splits the output of a command with -z. */
export function splitNul(output: string): readonly string[] {
  return output.split('\0').slice(0, -1)
}

// No hooks, monitors or maintenance of the user run with our commands, nothing waits for input, objects and refs are on
// disk when git ends, and locks of the user's own git commands are waited for.
const ALWAYS = [
  'core.hooksPath=/dev/null',
  'core.fsync=all',
  'core.fsyncMethod=fsync',
  'core.fsmonitor=false',
  'core.filesRefLockTimeout=2000',
  'core.packedRefsTimeout=10000',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'advice.addEmbeddedRepo=false',
  'i18n.commitEncoding=UTF-8',
  'protocol.version=2',
]

// Our work trees are never sparse, and their index is a single file.
const IN_OWN_TREES = ['core.splitIndex=false', 'core.sparseCheckout=false']

function cleanEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !redirectsGit(name))
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // Reading the status of the user's checkout must not rewrite its index.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_DEFAULT_REF_FORMAT: 'files',
    // Everything is on this machine; git would run programs that a configuration names to get more.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  }
}

interface Means {
  readonly place: GitPlace
  readonly env: Readonly<Record<string, string>>
  readonly runner: RunCommand
}

async function execute(
  { place, env: always, runner }: Means,
  args: readonly string[],
  { index, settings = [], env, ...streams }: GitOptions,
): Promise<GitAnswer | Problem> {
  const { signal } = streams
  const ended = await runUnlessKilled(runner, isRepeatable(args) ? KILLED_TRIES_MAX : 1, {
    file: 'git',
    args: [...placeArgs(place), ...settingArgs(place, settings), ...args],
    cwd: place.folder,
    env: { ...always, ...placeEnvironment(place), ...(index === undefined ? {} : { GIT_INDEX_FILE: index }), ...env },
    ...streams,
  })
  if (ended.kind === 'not-started') return signal?.aborted ? cancelled(args) : notStarted(place.folder, ended.message)
  if (signal?.aborted) return cancelled(args)
  const { exitCode, stderr } = ended
  if (ended.timedOut) return blocked(args, place.folder, ended.durationMs)
  if (exitCode === null) return gitProblem(args, place.folder, stderr || `ended by ${ended.signal ?? 'its time limit'}`)
  const trouble = exitCode === 0 ? null : await gitDiskProblem([place.folder, place.gitDir], stderr)
  return trouble ?? { exitCode, stdout: ended.stdout.toString(), stderr: stderr }
}

const KILLED_TRIES_MAX = 3

/** Runs a command again when another process, such as the kernel short of memory, has killed it. */
async function runUnlessKilled(runner: RunCommand, tries: number, command: Command): Promise<CommandResult> {
  const ended = await runner(command)
  const wasKilled = ended.kind === 'ended' && ended.signal !== null && !ended.timedOut && !ended.overflowed
  return wasKilled && tries > 1 && !command.signal?.aborted ? runUnlessKilled(runner, tries - 1, command) : ended
}

function placeArgs({ gitDir, workTree }: GitPlace): readonly string[] {
  return [
    ...(gitDir === undefined ? [] : [`--git-dir=${gitDir}`]),
    ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
  ]
}

function placeEnvironment({ objects, borrowed = [] }: GitPlace): Readonly<Record<string, string>> {
  return {
    ...(objects === undefined ? {} : { GIT_OBJECT_DIRECTORY: objects }),
    ...(borrowed.length === 0 ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: borrowed.map(quoted).join(':') }),
  }
}

function quoted(path: string): string {
  return /[:"\\\n]/.test(path) ? `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"` : path
}

function settingArgs({ workTree, objects }: GitPlace, settings: readonly string[]): readonly string[] {
  const own = [...(workTree === undefined ? [] : IN_OWN_TREES), ...(objects === undefined ? [] : ['core.fsync=none'])]
  return [...ALWAYS, ...own, ...settings].flatMap((setting) => ['-c', setting])
}

function blocked([command]: readonly string[], folder: string, durationMs: number): Problem {
  return problem({
    code: 'git-blocked',
    message: `git ${command} did not end within ${durationText(durationMs)} in ${folder}: the files there block git.`,
    hint: `Look for named pipes in place of files, remove them, then retry: find '${folder}' -type p`,
    retry: 'later',
  })
}

function cancelled(args: readonly string[]): Problem {
  const message = `git ${args[0]} was cancelled.`
  return problem({ code: 'cancelled', message, hint: 'It runs again at the next start.', retry: 'later' })
}

function notStarted(folder: string, message: string): Problem {
  if (!existsSync(folder)) {
    const gone = `The folder ${folder} no longer exists.`
    return problem({ code: 'repository-gone', message: gone, hint: 'Restore it, then run again.', retry: 'person' })
  }
  const hint = 'Install git 2.38 or newer and add it to the PATH.'
  return problem({ code: 'git-missing', message: `git could not be started: ${message}`, hint, retry: 'person' })
}
