import { dirname } from 'node:path'
import { isProblem, type Problem, problem } from '../core/model/problem.ts'
import type { RunCommand } from '../process/start/run-command.ts'
import { type Git, gitAt } from './git.ts'
import { commitOf } from './history.ts'
import { type Identity, identityFrom } from './identity.ts'
import { readRefs } from './refs.ts'
import { readSettings, type Setting } from './settings.ts'

/** Repository found from one of its checkouts. */
export interface FoundRepository {
  /** Checkout that it was found from. */
  readonly checkout: string
  /** Git folder that all its checkouts share. */
  readonly gitDir: string
  /** Main checkout, when it was found from there; git does not always list it correctly. */
  readonly mainCheckout: string | null
  readonly objectFormat: string
  /** Git in the checkout, with an explicit git folder. */
  readonly git: Git
}

/** Repository that is ready for work. */
export interface GitRepository extends FoundRepository {
  /** Branch of the checkout, or null when HEAD is detached. */
  readonly branch: string | null
  /** Identity for commits, or the problem that prevents them. */
  readonly identity: Identity | Problem
  readonly settings: readonly Setting[]
}

/** Finds the repository that a folder belongs to. */
export async function findRepository(
  folder: string,
  environment: Readonly<Record<string, string>>,
  runner?: RunCommand,
): Promise<FoundRepository | Problem> {
  const git = gitAt({ folder }, environment, runner)
  const [tooOld, answer] = await Promise.all([versionProblem(git), git.ask(['rev-parse', ...WHERE])])
  if (tooOld !== null) return tooOld
  if ('kind' in answer) return answer
  const [isBare, gitDir = '', ownGitDir, objectFormat = 'sha1', checkout, ...more] = answer.stdout.split('\n')
  if (isBare === 'true') return bare(folder)
  if (answer.exitCode !== 0 || checkout === undefined || more.length > 1) return notFound(folder, answer.stderr)
  const named = git.at({ folder: checkout, gitDir })
  const mainCheckout = gitDir === ownGitDir ? checkout : null
  return { checkout, gitDir, mainCheckout, objectFormat, git: named }
}

/** Finds a repository and checks that work can start there. */
export async function openRepository(
  folder: string,
  environment: Readonly<Record<string, string>>,
  runner?: RunCommand,
): Promise<GitRepository | Problem> {
  const repository = await findRepository(folder, environment, runner)
  if (isProblem(repository)) return repository
  const here = repository.git.at({ folder: repository.checkout })
  const [settings, branch, ...refusals] = await Promise.all([
    readSettings(here),
    here.ask(['symbolic-ref', '--quiet', 'HEAD']),
    emptyProblem(here, repository.checkout),
    branchProblem(repository.git),
  ])
  if (isProblem(settings)) return settings
  const refused = refusals.find((refusal) => refusal !== null)
  if (refused) return refused
  if ('kind' in branch) return branch
  const identity = identityFrom(settings, environment)
  return { ...repository, settings, identity, branch: branch.stdout.trim().replace(/^refs\/heads\//, '') || null }
}

/** Reads the identity for commits in a repository, also in one without commits. */
export async function findIdentity(
  { git, checkout }: FoundRepository,
  environment: Readonly<Record<string, string>>,
): Promise<Identity | Problem> {
  const settings = await readSettings(git.at({ folder: checkout }))
  return isProblem(settings) ? settings : identityFrom(settings, environment)
}

const WHERE = ['--is-bare-repository', '--path-format=absolute', '--git-common-dir', '--git-dir']
WHERE.push('--show-object-format', '--show-toplevel')

const OLDEST = [2, 38] as const

async function versionProblem(git: Git): Promise<Problem | null> {
  const output = await git.run(['version'])
  if (isProblem(output)) return output
  const [major = 0, minor = 0] = (/\d+\.\d+/.exec(output)?.[0] ?? '').split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return null
  const message = `${output.trim()} is too old: merging without a checkout needs git ${OLDEST.join('.')} or newer.`
  return problem({ code: 'git-too-old', message, hint: 'Install a newer git, then run again.', retry: 'person' })
}

async function emptyProblem(git: Git, checkout: string): Promise<Problem | null> {
  const head = await commitOf(git, 'HEAD')
  if (isProblem(head)) return head
  if (head !== null) return null
  const branches = await git.run(['for-each-ref', '--count=1', 'refs/heads/'])
  if (isProblem(branches)) return branches
  if (branches !== '') return null
  return problem({
    code: 'no-commits',
    message: `The repository at ${checkout} has no commit yet, so no work can start from it.`,
    hint: 'Make a first commit (git commit --allow-empty -m Start), then run again.',
    retry: 'person',
  })
}

async function branchProblem(git: Git): Promise<Problem | null> {
  const branches = await readRefs(git, ['refs/heads/longhaul'])
  if (isProblem(branches)) return branches
  if (branches.size === 0) return null
  return problem({
    code: 'branch-in-the-way',
    message: 'The branch "longhaul" prevents git from creating branches such as longhaul/task-a1.',
    hint: 'Rename it: git branch -m longhaul my-longhaul',
    retry: 'person',
  })
}

function bare(folder: string): Problem {
  return problem({
    code: 'repository-bare',
    message: `${folder} is in a bare repository, which has no checkout to work in.`,
    hint: 'Clone it, then run in the clone.',
    retry: 'person',
  })
}

function notFound(folder: string, stderr: string): Problem {
  if (/dubious ownership/.test(stderr)) {
    const message = `Git does not trust the repository at ${folder}, because it belongs to another user.`
    const hint = `Run: git config --global --add safe.directory '${folder}'`
    return problem({ code: 'repository-untrusted', message, hint, retry: 'person', cause: stderr })
  }
  if (/must be run in a work tree/.test(stderr)) {
    const message = `${folder} is inside a git folder, not in a checkout.`
    return problem({
      code: 'not-a-repository',
      message,
      hint: `Go to ${/^(.+?)\/\.git(\/|$)/.exec(folder)?.[1] ?? dirname(folder)}.`,
      retry: 'person',
    })
  }
  const message = `${folder} is not in a git repository.`
  const hint = 'Go to your project, or start one with: git init'
  return problem({ code: 'not-a-repository', message, hint, retry: 'person', cause: stderr })
}
