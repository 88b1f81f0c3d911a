import type { AttemptSpec } from '../../core/model/attempt.ts'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { changedFiles } from '../../git/changed-files.ts'
import { makeCommit } from '../../git/commit.ts'
import { parentsOf } from '../../git/history.ts'
import type { Checkpoint } from '../../ports/workspaces.ts'
import { cloneGit } from './clone-git.ts'
import { type ClonePaths, workspacePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { installIndex } from './install-index.ts'
import { moveAttemptRefs, readPinAndBranch } from './move-attempt-refs.ts'
import { saveModules } from './save-modules.ts'
import { snapshotWork, type WorkSnapshot } from './snapshot-work.ts'
import { writeWork } from './write-work.ts'

/** Saves everything not ignored as a commit of the repository, and moves the workspace's HEAD to it. */
export async function checkpointWorkspace(
  context: WorkspaceContext,
  spec: AttemptSpec,
  last: Commit,
  message: string,
  amends: Commit | null = null,
): Promise<Checkpoint | Problem> {
  const clone = workspacePaths(context.home, spec.attempt)
  const { git } = context.repository
  const [snapshot, before] = await Promise.all([
    snapshotWork(context, clone, spec.base, last),
    amends === null ? [] : parentsOf(git, amends),
  ])
  if (isProblem(snapshot)) return snapshot
  const parents = snapshot.parent.commit === amends ? before : [snapshot.parent.commit]
  // Read as late as possible: the snapshot takes time, and a person may check the branch out meanwhile.
  const [commit, refsBefore] = await Promise.all([
    commitFor(context, snapshot, parents, withTrailers(spec, message)),
    readPinAndBranch(git, spec.attempt),
  ])
  if (isProblem(commit)) return commit
  const [headFailed, refsFailed, diffFailed, checkpoint] = await Promise.all([
    moveHead(context, clone, snapshot.head, commit),
    moveAttemptRefs(git, spec.attempt, commit, refsBefore),
    writeWork(context, clone, spec, commit),
    report(context, spec, clone, snapshot, commit),
  ])
  return headFailed ?? refsFailed ?? diffFailed ?? checkpoint
}

async function commitFor(
  { repository }: WorkspaceContext,
  { tree, parent }: WorkSnapshot,
  parents: readonly Commit[] | Problem,
  message: string,
): Promise<Commit | Problem> {
  if (tree === parent.tree) return parent.commit
  if (isProblem(parents)) return parents
  return makeCommit(repository.git, repository.identity, { tree, parents, message })
}

function withTrailers({ tasks, attempt }: AttemptSpec, message: string): string {
  const trailers = [...tasks.map(({ id }) => `Task-Id: ${id}`), `Attempt: ${attempt}`]
  return `${message.trim()}\n\n${trailers.join('\n')}\n`
}

// HEAD moves before the index: a checkpoint that is repeated after a crash finds nothing new and only replaces the index.
async function moveHead(
  context: WorkspaceContext,
  clone: ClonePaths,
  head: Commit | null,
  commit: Commit,
): Promise<Problem | null> {
  if (head !== commit) {
    const moved = await cloneGit(context, clone).run(['update-ref', 'HEAD', commit])
    if (isProblem(moved)) return moved
  }
  return installIndex(context, clone)
}

async function report(
  context: WorkspaceContext,
  spec: AttemptSpec,
  clone: ClonePaths,
  snapshot: WorkSnapshot,
  commit: Commit,
): Promise<Checkpoint | Problem> {
  const { git } = context.repository
  const { tree } = snapshot
  const changed = await changedFiles(git, spec.base, tree)
  if (isProblem(changed)) return changed
  const unsaved = await saveModules(context, spec.attempt, clone, changed)
  if (isProblem(unsaved)) return unsaved
  const nested = [...unsaved, ...snapshot.unnamed]
  return { kind: 'checkpoint', commit, tree, changed: changed.length, nested }
}
