import { existsSync } from 'node:fs'
import type { AttemptSpec } from '../../core/model/attempt.ts'
import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { isAncestor } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, readRefs } from '../../git/refs.ts'
import type { Released } from '../../ports/workspaces.ts'
import { type AttemptRefs, readAttemptRefs } from './attempt-refs.ts'
import { type ClonePaths, workspacePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { deleteAttemptRefs } from './delete-attempt-refs.ts'
import { landedProblem } from './landed-proof.ts'
import { emptyClone, removeClone } from './remove-clone.ts'
import { runIn } from './run-commands.ts'
import { salvageWorkspace } from './salvage.ts'

/** Removes the workspace of landed work, or salvages and keeps work that has not landed. */
export async function releaseWorkspace(
  context: WorkspaceContext,
  spec: AttemptSpec,
  commit: Commit,
  how: 'landed' | 'keep',
): Promise<Released | Problem> {
  const clone = workspacePaths(context.home, spec.attempt)
  const emptied = await emptyClone(context, clone)
  if (emptied !== null) return emptied
  const attemptRefs = await readAttemptRefs(context.repository.git, spec.attempt, spec.target)
  if (isProblem(attemptRefs)) return attemptRefs
  const unproven = how === 'landed' ? await landedProblem(context, spec, commit, attemptRefs.line) : null
  if (unproven !== null) return unproven
  const salvage = await salvageAll(context, clone, spec.attempt, { ...attemptRefs, saved: attemptRefs.saved ?? commit })
  if (isProblem(salvage)) return salvage
  if (how === 'keep')
    return (await moveBranchToSalvage(context, spec.attempt)) ?? { kind: 'released', kept: true, salvage }
  await beforeRemove(context, clone, spec)
  const failed =
    (await emptyClone(context, clone)) ??
    (await removeClone(clone)) ??
    (await deleteAttemptRefs(context, spec.attempt, attemptRefs.own, commit))
  return failed ?? { kind: 'released', kept: false, salvage }
}

// People look for unlanded work on the attempt's branch, so it gets what no checkpoint has.
async function moveBranchToSalvage({ repository }: WorkspaceContext, attempt: AttemptId): Promise<Problem | null> {
  const { git } = repository
  const existing = await readRefs(git, [refs.salvage(attempt), refs.branch(attempt)])
  if (isProblem(existing)) return existing
  const [salvage, branch] = [existing.get(refs.salvage(attempt)), existing.get(refs.branch(attempt))]
  if (salvage === undefined || branch === undefined || branch.checkedOutIn !== null) return null
  const continues = await isAncestor(git, branch.commit, salvage.commit)
  if (isProblem(continues)) return continues
  const moved = continues
    ? await changeRefs(git, [{ ref: branch.name, to: salvage.commit, from: branch.commit }])
    : null
  return isProblem(moved) ? moved : null
}

/** Saves work that is in no checkpoint; returns all refs that hold salvaged work of the attempt. */
export async function salvageAll(
  context: WorkspaceContext,
  clone: ClonePaths,
  attempt: AttemptId,
  { saved, salvaged }: AttemptRefs,
): Promise<readonly string[] | Problem> {
  if (saved === null || !wasUsed(clone)) return salvaged
  const salvage = await salvageWorkspace(context, clone, attempt, saved)
  return isProblem(salvage) ? salvage : [...new Set([...salvaged, ...salvage])]
}

// An incomplete clone has no work in it, and a removed one has none left.
function wasUsed(clone: ClonePaths): boolean {
  return existsSync(clone.ready) && existsSync(clone.tree)
}

async function beforeRemove(
  context: WorkspaceContext,
  clone: ClonePaths,
  { workspace, bounds, attempt }: AttemptSpec,
): Promise<void> {
  const { beforeRemove: command } = workspace.hooks
  if (command === null || !wasUsed(clone)) return
  const hook = { name: 'before_remove', command, timeoutMs: bounds.hookMs }
  const ended = await runIn(context, clone, hook, new AbortController().signal)
  if (ended.kind === 'passed') return
  const why = isProblem(ended) ? ended.message : `exit code ${ended.exitCode ?? 'none'}: ${ended.output}`
  context.note(`The hook before_remove of ${attempt} failed (${why}); the workspace is removed all the same.`)
}
