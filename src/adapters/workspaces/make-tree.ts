import { mkdirSync, writeFileSync } from 'node:fs'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { withFiles } from '../../git/git-problem.ts'
import type { Identity } from '../../git/identity.ts'
import { contentSettings, type Setting } from '../../git/settings.ts'
import { makeSharedClone } from '../../git/shared-clone.ts'
import { savingGit } from './clone-git.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { includeFiles } from './include-files.ts'
import { installIndex } from './install-index.ts'
import { emptyClone, removeClone } from './remove-clone.ts'
import { fillModules, wholeTree } from './submodules.ts'
import { ensureTake } from './take.ts'

/** Makes a clone with a commit's files, its submodules and the files of `.worktreeinclude`; replaces any remains. */
export async function makeTree(
  context: WorkspaceContext,
  clone: ClonePaths,
  what: { readonly commit: Commit; readonly branch: string | null },
  signal: AbortSignal,
): Promise<Problem | null> {
  const { gitDir: sourceDir, objectFormat, identity } = context.repository
  const cleared =
    (await emptyClone(context, clone)) ??
    (await removeClone(clone)) ??
    (await withFiles(clone.own, () => mkdirSync(clone.pids, { recursive: true }))) ??
    (await withFiles(clone.tree, () => mkdirSync(clone.tree, { recursive: true }))) ??
    (await ensureTake(context, clone))
  if (cleared !== null) return cleared
  const settings = [...contentSettings(context.repository.settings), ...identitySettings(identity)]
  const { tree: folder, index } = clone
  const order = { out: savingGit(context, clone), sourceDir, objectFormat, folder, settings, index }
  return (
    (await makeSharedClone({ ...order, ...what, signal })) ??
    (await installIndex(context, clone)) ??
    (await fillModules(context, clone, wholeTree(context, clone), settings, signal)) ??
    (await includeFiles(context, clone.tree))
  )
}

// No fsync: file systems keep the order in which names are created. A power cut that loses this file also loses everything
// an agent made after it, and the workspace is made again.

/** Records that a clone is complete. */
export function markReady(clone: ClonePaths): Promise<Problem | null> {
  return withFiles(clone.ready, () => writeFileSync(clone.ready, ''))
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
