import { dirname } from 'node:path'
import { isProblem, type Problem, problem } from '../core/model/problem.ts'
import { type Git, gitAt } from './git.ts'
import { commitOf } from './history.ts'
import { type Identity, identityFrom } from './identity.ts'
import { readRefs } from './refs.ts'
import { readSettings, type Setting } from './settings.ts'

/** A repository found from one of its checkouts. */
export interface FoundRepository {
  /** The checkout it was found from. */
  readonly checkout: string
  /** The git folder that all its checkouts share. */
  readonly gitDir: string
  /** The main checkout, where git itself cannot tell it. */
  readonly mainCheckout: string | null
  readonly objectFormat: string
  /** Git with this repository named outright, at the checkout. */
  readonly git: Git
}

/** A repository that work can be done in. */
export interface GitRepository extends FoundRepository {
  /** The branch that is checked out where it was found; null: none. */
  readonly branch: string | null
  /** Who commits are by, or why none can be made. */
  readonly identity: Identity | Problem
  readonly settings: readonly Setting[]
}

/** Finds the repository that a folder belongs to. */
export async function findRepository(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<FoundRepository | Problem> {
  const git = gitAt({ folder }, environment)
  const [tooOld, answer] = await Promise.all([versionProblem(git), git.ask(['rev-parse', ...WHERE])])
  if (tooOld !== null) return tooOld
  if ('kind' in answer) return answer
  const [isBare, gitDir = '', ownGitDir, objectFormat = 'sha1', checkout, ...more] = answer.output.split('\n')
  if (isBare === 'true') return bare(folder)
  if (answer.exitCode !== 0 || checkout === undefined || more.length > 1) return notFound(folder, answer.complaint)
  const named = git.at({ folder: checkout, gitDir })
  const mainCheckout = gitDir === ownGitDir ? checkout : null
  return { checkout, gitDir, mainCheckout, objectFormat, git: named }
}

/** Finds a repository and sees to it that work can be done there; every refusal says what to do. */
export async function openRepository(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<GitRepository | Problem> {
  const found = await findRepository(folder, environment)
  if (isProblem(found)) return found
  const here = found.git.at({ folder: found.checkout })
  const [settings, branch, ...refusals] = await Promise.all([
    readSettings(here),
    here.ask(['symbolic-ref', '--quiet', 'HEAD']),
    emptyProblem(here, found.checkout),
    branchProblem(found.git),
  ])
  if (isProblem(settings)) return settings
  const refused = refusals.find((refusal) => refusal !== null)
  if (refused) return refused
  if ('kind' in branch) return branch
  const identity = identityFrom(settings, environment)
  return { ...found, settings, identity, branch: branch.output.trim().replace(/^refs\/heads\//, '') || null }
}

/** Who commits in a repository are by, also where there are none yet. */
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
  const message = `This is ${output.trim()}, and git ${OLDEST.join('.')} is the oldest that can merge without a checkout.`
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
    message: `The repository at ${checkout} has no commit yet, so there is nothing to start from.`,
    hint: 'Make a first commit (an empty one will do: git commit --allow-empty -m Start), then run again.',
    retry: 'person',
  })
}

async function branchProblem(git: Git): Promise<Problem | null> {
  const found = await readRefs(git, ['refs/heads/longhaul'])
  if (isProblem(found)) return found
  if (found.size === 0) return null
  return problem({
    code: 'branch-in-the-way',
    message: 'There is a branch named "longhaul", so git cannot make branches below that name.',
    hint: 'Rename it, for instance: git branch -m longhaul my-longhaul',
    retry: 'person',
  })
}

function bare(folder: string): Problem {
  return problem({
    code: 'repository-bare',
    message: `${folder} is in a bare repository, which has no files to work with.`,
    hint: 'Clone it, and run there.',
    retry: 'person',
  })
}

function notFound(folder: string, complaint: string): Problem {
  if (/dubious ownership/.test(complaint)) {
    const message = `Git does not trust the repository at ${folder}, because it belongs to somebody else.`
    const hint = `Run: git config --global --add safe.directory '${folder}'`
    return problem({ code: 'repository-untrusted', message, hint, retry: 'person', cause: complaint })
  }
  if (/must be run in a work tree/.test(complaint)) {
    const message = `${folder} is inside a git folder, not in a checkout.`
    return problem({
      code: 'not-a-repository',
      message,
      hint: `Go to ${dirname(folder)} or its parent.`,
      retry: 'person',
    })
  }
  const message = `${folder} is not in a git repository.`
  const hint = 'Go to your project, or start one with: git init'
  return problem({ code: 'not-a-repository', message, hint, retry: 'person', cause: complaint })
}
