import { existsSync } from 'node:fs'
import { type Problem, problem } from '../core/model/problem.ts'
import { redirectsGit } from '../process/environment.ts'
import { runInShell } from '../process/run-in-shell.ts'
import { diskFullProblem, gitProblem } from './git-problem.ts'

/** Where git works: a folder to find the repository from, or the repository named outright. */
export interface GitPlace {
  readonly folder: string
  readonly gitDir?: string
  readonly workTree?: string
}

export interface GitOptions {
  /** What git does before, in the same breath, one after the other; where one fails, nothing more is done. */
  readonly first?: readonly (readonly string[])[]
  readonly input?: string
  /** Used instead of the repository's own index. */
  readonly index?: string
  /** Settings for this call alone. */
  readonly settings?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Only for what may be left half done. */
  readonly signal?: AbortSignal
}

/** What git answered, whatever its exit code. */
export interface GitAnswer {
  readonly exitCode: number
  readonly output: string
  readonly complaint: string
}

/** Git at one place, in an environment of its own. */
export interface Git {
  readonly place: GitPlace
  /** For questions whose exit code is an answer; a problem only when git could not do its work at all. */
  ask(args: readonly string[], options?: GitOptions): Promise<GitAnswer | Problem>
  /** For what is expected to succeed: what git printed. */
  run(args: readonly string[], options?: GitOptions): Promise<string | Problem>
  /** The same git at another place. */
  at(place: GitPlace): Git
}

/** Git at a place, with the given environment less everything that could turn it elsewhere. */
export function gitAt(place: GitPlace, environment: Readonly<Record<string, string>>): Git {
  const env = cleanEnvironment(environment)
  const ask = (args: readonly string[], options: GitOptions = {}) => execute(place, env, args, options)
  return {
    place,
    ask,
    async run(args, options = {}) {
      const answer = await ask(args, options)
      if ('kind' in answer) return answer
      return answer.exitCode === 0 ? answer.output : gitProblem(args, place.folder, answer.complaint)
    },
    at: (other) => gitAt(other, environment),
  }
}

/** The parts of a -z listing. */
export function splitZero(output: string): readonly string[] {
  return output.split('\0').slice(0, -1)
}

// Nothing of the user's runs on our commands (hooks, monitors, collectors), nothing waits for a person, what we write is
// on disk when git ends, and what the user is doing in the same repository is waited for.
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

// Trees of ours are whole, and their indexes are whole files.
const IN_OWN_TREES = ['core.splitIndex=false', 'core.sparseCheckout=false']

function cleanEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !redirectsGit(name))
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // Looking at a user's checkout must not rewrite its index.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_DEFAULT_REF_FORMAT: 'files',
  }
}

async function execute(
  place: GitPlace,
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  { first, input, index, settings = [], env, signal }: GitOptions,
): Promise<GitAnswer | Problem> {
  const always = [...placeArgs(place), ...settingArgs(place, settings)]
  const ended = await runInShell({
    file: 'git',
    args: [...always, ...args],
    ...(first === undefined ? {} : { first: first.map((one) => [...always, ...one]) }),
    cwd: place.folder,
    env: { ...environment, ...(index === undefined ? {} : { GIT_INDEX_FILE: index }), ...env },
    ...(input === undefined ? {} : { input }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (ended.kind === 'not-started') return signal?.aborted ? cancelled(args) : notStarted(place.folder, ended.message)
  if (signal?.aborted) return cancelled(args)
  const { exitCode, stderr } = ended
  if (exitCode === null) return gitProblem(args, place.folder, stderr || `ended by ${ended.signal ?? 'its time limit'}`)
  const full = exitCode === 0 ? null : await diskFullProblem([place.folder, place.gitDir], stderr)
  return full ?? { exitCode, output: ended.stdout.toString(), complaint: stderr }
}

function placeArgs({ gitDir, workTree }: GitPlace): readonly string[] {
  return [
    ...(gitDir === undefined ? [] : [`--git-dir=${gitDir}`]),
    ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
  ]
}

function settingArgs({ workTree }: GitPlace, settings: readonly string[]): readonly string[] {
  const own = workTree === undefined ? [] : IN_OWN_TREES
  return [...ALWAYS, ...own, ...settings].flatMap((setting) => ['-c', setting])
}

function cancelled(args: readonly string[]): Problem {
  const message = `git ${args[0]} was called off.`
  return problem({ code: 'cancelled', message, hint: 'It is done again at the next start.', retry: 'later' })
}

function notStarted(folder: string, message: string): Problem {
  if (!existsSync(folder)) {
    const gone = `The folder ${folder} is gone.`
    return problem({ code: 'repository-gone', message: gone, hint: 'Put it back, then run again.', retry: 'person' })
  }
  const hint = 'Install git 2.38 or newer, and see that it is on the PATH.'
  return problem({ code: 'git-missing', message: `git could not be started: ${message}`, hint, retry: 'person' })
}
