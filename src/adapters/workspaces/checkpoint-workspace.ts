import { copyFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { AttemptSpec } from '../../core/model/attempt.ts'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { changedFiles, changedMatching } from '../../git/changed-files.ts'
import { makeCommit } from '../../git/commit.ts'
import { withFiles } from '../../git/git-problem.ts'
import { parentsOf } from '../../git/history.ts'
import type { Checkpoint } from '../../ports/workspaces.ts'
import { cloneGit } from './clone-git.ts'
import { type ClonePaths, workspacePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { moveAttemptRefs, readPinAndBranch } from './move-attempt-refs.ts'
import { saveModules } from './save-modules.ts'
import { snapshotWork, type WorkSnapshot } from './snapshot-work.ts'
import { writeWork } from './write-work.ts'

/** Saves everything not ignored as a commit of the repository, and lets the workspace go on from it. */
export async function checkpointWorkspace(
  context: WorkspaceContext,
  spec: AttemptSpec,
  last: Commit,
  message: string,
  amends: Commit | null = null,
): Promise<Checkpoint | Problem> {
  const clone = workspacePaths(context.home, spec.attempt)
  const { git } = context.repository
  const [taken, before] = await Promise.all([
    snapshotWork(context, clone, spec.base, last),
    amends === null ? [] : parentsOf(git, amends),
  ])
  if (isProblem(taken)) return taken
  const parents = taken.parent.commit === amends ? before : [taken.parent.commit]
  // Not earlier: taking the work can last, and meanwhile a person may check the branch out.
  const [commit, shown] = await Promise.all([
    commitFor(context, taken, parents, withTrailers(spec, message)),
    readPinAndBranch(git, spec.attempt),
  ])
  if (isProblem(commit)) return commit
  const [unmoved, unshown, unwritten, made] = await Promise.all([
    moveOn(context, clone, taken.head, commit),
    moveAttemptRefs(git, spec.attempt, commit, shown),
    writeWork(context, clone, spec, commit),
    report(context, spec, clone, taken, commit),
  ])
  return unmoved ?? unshown ?? unwritten ?? made
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

// The commit before the index: a repeated checkpoint then finds nothing new, and puts the index right.
async function moveOn(
  context: WorkspaceContext,
  clone: ClonePaths,
  head: Commit | null,
  commit: Commit,
): Promise<Problem | null> {
  if (head !== commit) {
    const moved = await cloneGit(context, clone).run(['update-ref', 'HEAD', commit])
    if (isProblem(moved)) return moved
  }
  const index = join(clone.tree, '.git', 'index')
  return withFiles(index, async () => {
    await copyFile(clone.index, `${index}.longhaul`)
    await rename(`${index}.longhaul`, index)
  })
}

async function report(
  context: WorkspaceContext,
  spec: AttemptSpec,
  clone: ClonePaths,
  work: WorkSnapshot,
  commit: Commit,
): Promise<Checkpoint | Problem> {
  const { git } = context.repository
  const { tree } = work
  const globs = spec.gates.flatMap(({ protect }) => protect)
  const [changed, protectedChanged] = await Promise.all([
    changedFiles(git, spec.base, tree),
    changedMatching(git, spec.base, tree, globs),
  ])
  if (isProblem(changed)) return changed
  if (isProblem(protectedChanged)) return protectedChanged
  const unsaved = await saveModules(context, spec.attempt, clone, changed)
  if (isProblem(unsaved)) return unsaved
  const nested = [...unsaved, ...work.unnamed]
  return { kind: 'checkpoint', commit, tree, changed: changed.length, protectedChanged, nested }
}
