import { join } from 'node:path'
import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { makeCommit } from '../../git/commit.ts'
import { gitlinksIn } from '../../git/folder-tree.ts'
import { commitOf, isAncestor, treeOf } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { cloneGit, isGitsFailure, savingGit } from './clone-git.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { keepCommitAt } from './keep-commit-at.ts'
import { salvageNested } from './salvage-nested.ts'
import { snapshotRemains, snapshotWork, type WorkSnapshot } from './snapshot-work.ts'
import { takeOut } from './take.ts'

/** Saves work that a saved commit does not have; returns the refs that now hold it. */
export async function salvageWorkspace(
  context: WorkspaceContext,
  clone: ClonePaths,
  attempt: AttemptId,
  saved: Commit,
): Promise<readonly string[] | Problem> {
  const whole = await snapshotWork(context, clone, null, saved)
  const isBroken = isProblem(whole) && whole.code === 'workspace-missing'
  if (isBroken) context.note(`${whole.message} Its files are saved.`)
  const work = isBroken ? await snapshotRemains(context, clone, saved) : whole
  if (isProblem(work)) return work
  const unsaved = await unsavedCommit(context, attempt, work, saved)
  if (isProblem(unsaved)) return unsaved
  const kept = unsaved === null ? null : await keepCommitAt(context, refs.salvage(attempt), unsaved)
  if (isProblem(kept)) return kept
  const [nested, aside] = await Promise.all([
    salvageAllNested(context, clone, attempt, work.unnamed),
    isBroken ? [] : salvageRefs(context, clone, attempt, unsaved ?? saved),
  ])
  if (isProblem(nested)) return nested
  return isProblem(aside) ? aside : [...(kept === null ? [] : [kept]), ...nested, ...aside]
}

async function salvageAllNested(
  context: WorkspaceContext,
  clone: ClonePaths,
  attempt: AttemptId,
  unnamed: readonly string[],
): Promise<readonly string[] | Problem> {
  const links = await gitlinksIn(savingGit(context, clone), clone.index, [])
  if (isProblem(links)) return links
  return salvageNested(context, clone, attempt, [...links.map(({ path }) => path), ...unnamed])
}

async function unsavedCommit(
  { repository }: WorkspaceContext,
  attempt: AttemptId,
  { parent, tree }: WorkSnapshot,
  saved: Commit,
): Promise<Commit | null | Problem> {
  const { git, identity } = repository
  const isKnown = await isAncestor(git, parent.commit, saved)
  if (isProblem(isKnown)) return isKnown
  const savedTree = parent.commit === saved ? parent.tree : await treeOf(git, saved)
  if (isProblem(savedTree)) return savedTree
  if (isKnown && tree === savedTree) return null
  if (!isKnown && tree === parent.tree) return parent.commit
  const message = `Work of ${attempt} that no checkpoint has\n\nAttempt: ${attempt}\n`
  return makeCommit(git, identity, { tree, parents: [parent.commit], message })
}

// Saves branches and stashes that the agent made besides its work.
async function salvageRefs(
  context: WorkspaceContext,
  clone: ClonePaths,
  attempt: AttemptId,
  saved: Commit,
): Promise<readonly string[] | Problem> {
  const args = ['for-each-ref', '--format=%(refname)', `--no-merged=${saved}`, 'refs/heads/', 'refs/stash']
  const answer = await cloneGit(context, clone).ask(args)
  if ('kind' in answer) return answer
  const names = answer.exitCode === 0 ? answer.stdout.split('\n').filter((name) => name !== '') : []
  const kept: string[] = []
  for (const name of names) {
    const ref = await keepRef(context, clone, attempt, name, saved)
    if (isProblem(ref)) return ref
    if (ref !== null) kept.push(ref)
  }
  return kept
}

async function keepRef(
  context: WorkspaceContext,
  clone: ClonePaths,
  attempt: AttemptId,
  name: string,
  saved: Commit,
): Promise<string | null | Problem> {
  const commit = await commitOf(cloneGit(context, clone), name)
  if (isGitsFailure(commit) || commit === null) return null
  if (isProblem(commit)) return commit
  const from = savingGit(context, clone, clone.tree, [join(clone.tree, '.git', 'objects')])
  const failed = await takeOut(clone, { from, to: context.repository.git, wanted: [commit], known: [saved] })
  return failed ?? keepCommitAt(context, refs.salvage(attempt, name.replace(/^refs\/(heads\/)?/, '')), commit)
}
