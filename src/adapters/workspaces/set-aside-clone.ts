import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { withFiles } from '../../git/git-problem.ts'
import { asideName, attemptOf, type ClonePaths, clonePathsNamed, isAside } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { emptyClone } from './remove-clone.ts'

/** Ends the processes of a leftover and frees its name; returns the name under which it can be discarded. */
export async function setAsideClone(context: WorkspaceContext, name: string): Promise<string | Problem> {
  const clone = clonePathsNamed(context.home, name)
  const emptied = await emptyClone(context, clone)
  if (emptied !== null) return emptied
  // An attempt's name is never used again, and its work is salvaged from where it is.
  return attemptOf(clone) !== null || isAside(clone) ? name : moveAside(context, clone)
}

async function moveAside({ home }: WorkspaceContext, clone: ClonePaths): Promise<string | Problem> {
  const aside = freeAside(home, clone)
  const parts = Object.entries({ root: clone.root, removing: clone.removing, own: clone.own })
  const failed = await withFiles(clone.root, () => {
    mkdirSync(aside.removing)
    for (const [part, path] of parts) if (existsSync(path)) renameSync(path, join(aside.removing, part))
  })
  return isProblem(failed) ? failed : aside.name
}

function freeAside(home: string, clone: ClonePaths): ClonePaths {
  for (let number = 1; ; number += 1) {
    const aside = clonePathsNamed(home, asideName(clone, number))
    if (!existsSync(aside.removing)) return aside
  }
}
