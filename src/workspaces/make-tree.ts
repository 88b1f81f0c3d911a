import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import type { Commit } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import { withFiles } from '../git/git-problem.ts'
import type { Identity } from '../git/identity.ts'
import { contentSettings, type Setting } from '../git/settings.ts'
import { type CloneOrder, completeClone, makeSharedClone, makeSpareClone } from '../git/shared-clone.ts'
import type { Context } from './context.ts'
import { includeFiles } from './include-files.ts'
import type { Place, SpareUse } from './places.ts'
import { layOutProgress } from './progress-folder.ts'
import { emptyPlace, movePlace, removePlace } from './remove-place.ts'
import { fillModules } from './submodules.ts'

/** What a tree is to show, and where it is taken from. */
export interface TreeOrder {
  readonly commit: Commit
  readonly branch: string | null
  readonly use: SpareUse
}

/** Makes a clone with a commit's files in it, its submodules and what `.worktreeinclude` names; in place of any remains. */
export async function makeTree(
  context: Context,
  place: Place,
  { use, ...what }: TreeOrder,
  signal: AbortSignal,
): Promise<Problem | null> {
  const { gitDir, checkout } = context.repository
  const cleared = (await emptyPlace(context, place)) ?? (await removePlace(place))
  if (cleared !== null) return cleared
  const tree = { folder: place.tree, index: place.index, gitDir, checkout }
  const order = cloneOrder(context, place, what, signal)
  return (
    (await cloneFrom(context, use, place, order)) ??
    (await fillModules(context, tree, order.settings, signal)) ??
    (await includeFiles(context, place.tree))
  )
}

/** Makes what of a tree can be made before it is known what for, where nothing is. */
export async function makeSpare(
  context: Context,
  place: Place,
  commit: Commit,
  signal: AbortSignal,
): Promise<Problem | null> {
  return (
    (await makeOwn(place)) ??
    (await layOutProgress(place)) ??
    makeSpareClone(cloneOrder(context, place, { commit, branch: null }, signal))
  )
}

async function cloneFrom(context: Context, use: SpareUse, place: Place, order: CloneOrder): Promise<Problem | null> {
  const spare = context.takeSpare(use)
  if (spare !== null) {
    if (movePlace(spare.place, place) && (await completeClone(order, spare.commit))) return null
    const left = await removePlace(spare.place)
    if (left !== null) context.note(left.message)
    const removed = await removePlace(place)
    if (removed !== null) return removed
  }
  return (await makeOwn(place)) ?? makeSharedClone(order)
}

function makeOwn(place: Place): Promise<Problem | null> {
  return withFiles(place.own, () => {
    mkdirSync(place.pids, { recursive: true })
    writeFileSync(place.begun, '')
  })
}

function cloneOrder(
  { repository }: Context,
  place: Place,
  what: { readonly commit: Commit; readonly branch: string | null },
  signal: AbortSignal,
): CloneOrder {
  const { gitDir, objectFormat, git, identity } = repository
  const settings = [...contentSettings(repository.settings), ...identitySettings(identity)]
  const where = { source: git, sourceDir: gitDir, folder: place.tree, index: place.index }
  return { ...where, ...what, objectFormat, settings, signal }
}

// It waits for no disk. File systems keep the order in which names are made: where a power cut takes it away, it takes
// everything that an agent made after it, and the workspace is made again.

/** Records that a place that was begun is whole. */
export function markReady(place: Place): Promise<Problem | null> {
  return withFiles(place.ready, () => renameSync(place.begun, place.ready))
}

function identitySettings(identity: Identity | Problem): readonly Setting[] {
  if (isProblem(identity)) return []
  const { author, committer } = identity
  return [
    { key: 'user.name', value: committer.name },
    { key: 'user.email', value: committer.email },
    { key: 'author.name', value: author.name },
    { key: 'author.email', value: author.email },
    { key: 'committer.name', value: committer.name },
    { key: 'committer.email', value: committer.email },
  ]
}
