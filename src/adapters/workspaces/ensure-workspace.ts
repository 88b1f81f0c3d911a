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
import { excludeSetupFiles } from './exclusions.ts'
import { inspectWorkspace } from './inspect-workspace.ts'
import { makeTree, markReady } from './make-tree.ts'
import { makeProgressFolder } from './progress-folder.ts'
import { emptyClone } from './remove-clone.ts'
import { runIn, runInOrder } from './run-commands.ts'
import { salvageWorkspace } from './salvage.ts'
import { writeWork } from './write-work.ts'

/** Makes an attempt's workspace at a commit and runs its setup; a complete workspace is left as it is. */
export async function ensureWorkspace(
  context: WorkspaceContext,
  spec: AttemptSpec,
  commit: Commit,
  signal: AbortSignal,
): Promise<Commit | SetupFailed | Problem> {
  const clone = workspacePaths(context.home, spec.attempt)
  const inspected = isWhole(clone) ? await inspectWorkspace(context, clone) : null
  if (isProblem(inspected)) return inspected
  if (inspected?.broken === null) {
    const head = await commitOf(cloneGit(context, clone), 'HEAD')
    if (!isNoRepository(head)) return isProblem(head) ? head : (head ?? commit)
  }
  const failed =
    (await saveRemains(context, clone, spec, commit)) ??
    (await pinAndMake(context, clone, spec, commit, signal)) ??
    (await writeWork(context, clone, spec, commit)) ??
    (await setUp(context, clone, spec, signal)) ??
    (await excludeSetupFiles(context, clone)) ??
    (await markReady(clone))
  return failed ?? commit
}

// All parts exist, but git cannot use them: an empty HEAD file, for instance.
function isNoRepository(answer: unknown): boolean {
  return isGitsFailure(answer) && answer.message.includes('not a git repository')
}

// A workspace that was complete once holds an agent's work even when its git folder is gone.
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

// The refs and the clone do not depend on each other, so both are made at the same time.
async function pinAndMake(
  context: WorkspaceContext,
  clone: ClonePaths,
  spec: AttemptSpec,
  commit: Commit,
  signal: AbortSignal,
): Promise<Problem | null> {
  const order = { commit, branch: branchOf(spec.attempt) }
  const make = async () => (await makeTree(context, clone, order, signal)) ?? makeProgressFolder(context, clone, spec)
  const [pinFailed, cloneFailed] = await Promise.all([pin(context, spec, commit), make()])
  return pinFailed ?? cloneFailed
}

async function pin({ repository }: WorkspaceContext, spec: AttemptSpec, commit: Commit): Promise<Problem | null> {
  const [base, attempt, branch] = [refs.base(spec.attempt), refs.attempt(spec.attempt), refs.branch(spec.attempt)]
  const changed = await changeRefs(repository.git, [
    { ref: base, to: spec.base, from: null },
    { ref: attempt, to: commit, from: null },
    { ref: branch, to: commit, from: null },
  ])
  return changed === 'outdated' ? pinMissing(repository, spec, commit) : changed === 'changed' ? null : changed
}

async function pinMissing({ git }: GitRepository, spec: AttemptSpec, commit: Commit): Promise<Problem | null> {
  const [base, attempt, branch] = [refs.base(spec.attempt), refs.attempt(spec.attempt), refs.branch(spec.attempt)]
  const existing = await readRefs(git, [base, attempt, branch])
  if (isProblem(existing)) return existing
  const isOurs = existing.has(base) || existing.has(attempt)
  const existingBranch = existing.get(branch)
  if (!isOurs && existingBranch !== undefined && existingBranch.commit !== commit)
    return branchTaken(spec, existingBranch)
  const latest = existing.get(attempt)?.commit ?? commit
  const wanted: readonly RefChange[] = [
    { ref: base, to: spec.base },
    { ref: attempt, to: latest, from: null },
    { ref: branch, to: latest, from: null },
  ]
  const missing = wanted.filter(({ ref }) => !existing.has(ref))
  const changed = await changeRefs(git, missing)
  return changed === 'changed' ? null : changed === 'outdated' ? branchTaken(spec, existingBranch) : changed
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

function branchTaken({ attempt }: AttemptSpec, existingBranch: Ref | undefined): Problem {
  const branch = branchOf(attempt)
  return problem({
    code: 'branch-taken',
    message: `${attempt} cannot start: the branch ${branch} exists already, at ${existingBranch?.commit ?? 'another commit'}, and is not its own.`,
    hint: `Rename the branch, then run again: git branch -m ${branch} my-${branch.replace('/', '-')}`,
    retry: 'person',
  })
}
