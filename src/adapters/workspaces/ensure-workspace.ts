import { existsSync } from 'node:fs'
import type { AttemptSpec } from '../../core/model/attempt.ts'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import { commitOf } from '../../git/history.ts'
import { branchOf, refs } from '../../git/names.ts'
import { changeRefs, type Ref, type RefChange, readRefs } from '../../git/refs.ts'
import type { GitRepository } from '../../git/repository.ts'
import type { SetupFailed } from '../../ports/workspaces.ts'
import { cloneGit, isGitsFailure } from './clone-git.ts'
import { type ClonePaths, isWhole, workspacePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { makeTree, markReady } from './make-tree.ts'
import { makeProgressFolder } from './progress-folder.ts'
import { emptyClone } from './remove-clone.ts'
import { runIn, runInOrder } from './run-commands.ts'
import { salvageWorkspace } from './salvage.ts'
import { writeWork } from './write-work.ts'

/** Makes an attempt's workspace at a commit and readies it; one that is whole is left as it is. */
export async function ensureWorkspace(
  context: WorkspaceContext,
  spec: AttemptSpec,
  commit: Commit,
  signal: AbortSignal,
): Promise<Commit | SetupFailed | Problem> {
  const clone = workspacePaths(context.home, spec.attempt)
  if (isWhole(clone)) {
    const head = await commitOf(cloneGit(context, clone), 'HEAD')
    if (!isNoRepository(head)) return isProblem(head) ? head : (head ?? commit)
  }
  const failed =
    (await saveRemains(context, clone, spec, commit)) ??
    (await pinAndMake(context, clone, spec, commit, signal)) ??
    (await writeWork(context, clone, spec, commit)) ??
    (await setUp(context, clone, spec, signal)) ??
    (await markReady(clone))
  return failed ?? commit
}

// All its parts are there, and git makes nothing of them: a HEAD that says nothing, for one.
function isNoRepository(answer: unknown): boolean {
  return isGitsFailure(answer) && answer.message.includes('not a git repository')
}

// A workspace that was whole once holds an agent's work even when its git folder is gone.
async function saveRemains(
  context: WorkspaceContext,
  clone: ClonePaths,
  spec: AttemptSpec,
  commit: Commit,
): Promise<Problem | null> {
  if (!existsSync(clone.ready) || !existsSync(clone.tree)) return null
  const emptied = await emptyClone(context, clone)
  if (emptied !== null) return emptied
  const saved = await salvageWorkspace(context, clone, spec.attempt, commit)
  return isProblem(saved) ? saved : null
}

/** Neither needs the other; only together they are a workspace. */
async function pinAndMake(
  context: WorkspaceContext,
  clone: ClonePaths,
  spec: AttemptSpec,
  commit: Commit,
  signal: AbortSignal,
): Promise<Problem | null> {
  const order = { commit, branch: branchOf(spec.attempt) }
  const make = async () => (await makeTree(context, clone, order, signal)) ?? makeProgressFolder(context, clone, spec)
  const [pinned, made] = await Promise.all([pin(context, spec, commit), make()])
  return pinned ?? made
}

async function pin({ repository }: WorkspaceContext, spec: AttemptSpec, commit: Commit): Promise<Problem | null> {
  const [base, attempt, branch] = [refs.base(spec.attempt), refs.attempt(spec.attempt), refs.branch(spec.attempt)]
  const made = await changeRefs(repository.git, [
    { ref: base, to: spec.base, from: null },
    { ref: attempt, to: commit, from: null },
    { ref: branch, to: commit, from: null },
  ])
  return made === 'moved' ? pinAgain(repository, spec, commit) : made === 'changed' ? null : made
}

async function pinAgain({ git }: GitRepository, spec: AttemptSpec, commit: Commit): Promise<Problem | null> {
  const [base, attempt, branch] = [refs.base(spec.attempt), refs.attempt(spec.attempt), refs.branch(spec.attempt)]
  const found = await readRefs(git, [base, attempt, branch])
  if (isProblem(found)) return found
  const isOurs = found.has(base) || found.has(attempt)
  const taken = found.get(branch)
  if (!isOurs && taken !== undefined && taken.commit !== commit) return branchTaken(spec, taken)
  const latest = found.get(attempt)?.commit ?? commit
  const wanted: readonly RefChange[] = [
    { ref: base, to: spec.base },
    { ref: attempt, to: latest, from: null },
    { ref: branch, to: latest, from: null },
  ]
  const missing = wanted.filter(({ ref }) => !found.has(ref))
  const changed = await changeRefs(git, missing)
  return changed === 'changed' ? null : changed === 'moved' ? branchTaken(spec, taken) : changed
}

async function setUp(
  context: WorkspaceContext,
  clone: ClonePaths,
  { workspace, bounds }: AttemptSpec,
  signal: AbortSignal,
): Promise<SetupFailed | Problem | null> {
  const { afterCreate } = workspace.hooks
  if (afterCreate !== null) {
    const hook = { name: 'after_create', command: afterCreate, timeoutMs: bounds.hookMs }
    const ended = await runIn(context, clone, hook, signal)
    if (ended.kind !== 'passed') return ended
  }
  return runInOrder(context, clone, workspace.setup, bounds.setupMs, signal)
}

function branchTaken({ attempt }: AttemptSpec, taken: Ref | undefined): Problem {
  const branch = branchOf(attempt)
  return problem({
    code: 'branch-taken',
    message: `There is a branch ${branch} already that ${attempt} did not make, at ${taken?.commit ?? 'another commit'}.`,
    hint: `Rename it, for instance: git branch -m ${branch} my-${branch.replace('/', '-')}`,
    retry: 'person',
  })
}
