import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { makeCommit } from '../../git/commit.ts'
import { fetchFrom } from '../../git/fetch.ts'
import { gitlinksIn } from '../../git/folder-tree.ts'
import { commitOf, isIn, treeOf } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { cloneGit, isGitsFailure, savingGit } from './clone-git.ts'
import type { WorkspaceContext } from './context.ts'
import { keepUnder } from './keep-under.ts'
import type { Place } from './places.ts'
import { salvageNested } from './salvage-nested.ts'
import { takeRemains, takeWork, type WorkTaken } from './take-work.ts'

/** Saves what a workspace holds and a saved commit does not; returns the refs that hold it from now on. */
export async function salvageWorkspace(
  context: WorkspaceContext,
  place: Place,
  attempt: AttemptId,
  saved: Commit,
): Promise<readonly string[] | Problem> {
  const work = await takeAnything(context, place, saved)
  if (isProblem(work)) return work
  const unsaved = await unsavedCommit(context, attempt, work, saved)
  if (isProblem(unsaved)) return unsaved
  const kept = unsaved === null ? null : await keepUnder(context, refs.salvage(attempt), unsaved)
  if (isProblem(kept)) return kept
  const [nested, aside] = await Promise.all([
    salvageAllNested(context, place, attempt, work.unnamed),
    salvageRefs(context, place, attempt, unsaved ?? saved),
  ])
  if (isProblem(nested)) return nested
  return isProblem(aside) ? aside : [...(kept === null ? [] : [kept]), ...nested, ...aside]
}

async function salvageAllNested(
  context: WorkspaceContext,
  place: Place,
  attempt: AttemptId,
  unnamed: readonly string[],
): Promise<readonly string[] | Problem> {
  const links = await gitlinksIn(savingGit(context, place.tree), place.index, [])
  if (isProblem(links)) return links
  return salvageNested(context, place, attempt, [...links.map(({ path }) => path), ...unnamed])
}

async function takeAnything(context: WorkspaceContext, place: Place, saved: Commit): Promise<WorkTaken | Problem> {
  const work = await takeWork(context, place, null, saved)
  return isProblem(work) && work.code === 'workspace-missing' ? takeRemains(context, place, saved) : work
}

async function unsavedCommit(
  { repository }: WorkspaceContext,
  attempt: AttemptId,
  { parent, tree }: WorkTaken,
  saved: Commit,
): Promise<Commit | null | Problem> {
  const { git, identity } = repository
  const isKnown = await isIn(git, parent.commit, saved)
  if (isProblem(isKnown)) return isKnown
  const savedTree = parent.commit === saved ? parent.tree : await treeOf(git, saved)
  if (isProblem(savedTree)) return savedTree
  if (isKnown && tree === savedTree) return null
  if (!isKnown && tree === parent.tree) return parent.commit
  const message = `Work of ${attempt} that no checkpoint has\n\nAttempt: ${attempt}\n`
  return makeCommit(git, identity, { tree, parents: [parent.commit], message })
}

// Branches and stashes that the agent left beside its work.
async function salvageRefs(
  context: WorkspaceContext,
  place: Place,
  attempt: AttemptId,
  saved: Commit,
): Promise<readonly string[] | Problem> {
  if (!existsSync(join(place.tree, '.git', 'HEAD'))) return []
  const args = ['for-each-ref', '--format=%(refname)', `--no-merged=${saved}`, 'refs/heads/', 'refs/stash']
  const answer = await cloneGit(context, place).ask(args)
  if ('kind' in answer) return answer
  const names = answer.exitCode === 0 ? answer.output.split('\n').filter((name) => name !== '') : []
  const kept: string[] = []
  for (const name of names) {
    const ref = await keepRef(context, place, attempt, name)
    if (isProblem(ref)) return ref
    if (ref !== null) kept.push(ref)
  }
  return kept
}

async function keepRef(
  context: WorkspaceContext,
  place: Place,
  attempt: AttemptId,
  name: string,
): Promise<string | null | Problem> {
  const commit = await commitOf(cloneGit(context, place), name)
  if (isGitsFailure(commit) || commit === null) return null
  if (isProblem(commit)) return commit
  const failed = await fetchFrom(context.repository.git, join(place.tree, '.git'), name)
  return failed ?? keepUnder(context, refs.salvage(attempt, name.replace(/^refs\/(heads\/)?/, '')), commit)
}
