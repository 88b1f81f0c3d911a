import { randomUUID } from 'node:crypto'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { runInside } from './run-inside.ts'

/** Replaces the index of a clone, or of a submodule in it, by a copy of ours. */
export async function installIndex(
  context: WorkspaceContext,
  clone: ClonePaths,
  index = clone.index,
  folder = clone.tree,
): Promise<Problem | null> {
  const installed = await runInside(context, clone, { script: INSTALL, args: [folder, index, `index-${randomUUID()}`] })
  return isProblem(installed) ? installed : null
}

// The name is new, so nothing of an agent's is there. "mv" would move it into a folder.
const INSTALL = `cd -- "$1/.git" && cp -- "$2" "$3" || exit 1
[ ! -d index ] || rm -rf index
mv -f -- "$3" index`
