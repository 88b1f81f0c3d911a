import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { AttemptId } from '../../core/model/ids.ts'
import { plainName, safeName } from '../../git/names.ts'
import { CLONE_PARTS } from '../../git/shared-clone.ts'

/** Where one clone and what belongs to it lies. */
export interface ClonePaths {
  readonly name: string
  /** Its alone, so that whatever is done to the tree's parent harms nobody else. */
  readonly root: string
  readonly tree: string
  /** What we keep about it, out of the way of what works in it. */
  readonly own: string
  /** Our own index of the tree. */
  readonly index: string
  readonly pids: string
  /** There last: without it the clone was never whole. */
  readonly ready: string
  /** Where the root goes when it is to be removed. */
  readonly removing: string
}

/** Where an attempt's workspace lies. */
export function workspacePaths(home: string, attempt: AttemptId): ClonePaths {
  return clonePathsNamed(home, safeName(attempt))
}

/** Where a clean checkout lies. */
export function checkoutPaths(home: string, name: string): ClonePaths {
  return clonePathsNamed(home, `${CHECKOUT}${safeName(name)}`)
}

/** The place with a name that `placeNames` gave. */
export function clonePathsNamed(home: string, name: string): ClonePaths {
  const own = join(home, OWN, name)
  return {
    name,
    root: join(home, name),
    tree: join(home, name, 'tree'),
    own,
    index: join(own, 'index'),
    pids: join(own, 'pids'),
    ready: join(own, 'ready'),
    removing: join(home, `${REMOVING}${name}`),
  }
}

/** The place's name behind the name of a folder in the home, or null when it is none of ours. */
export function cloneNameOf(entry: string): string | null {
  if (entry.startsWith(REMOVING)) return entry.slice(REMOVING.length)
  return entry.startsWith('.') ? null : entry
}

/** The attempt that a place is lent to; null for checkouts. */
export function attemptOf(clone: ClonePaths): AttemptId | null {
  return clone.name.startsWith(CHECKOUT) ? null : (plainName(clone.name) as AttemptId)
}

/** Where the starts of processes that work in a tree are recorded. */
export function pidFolderOf(tree: string): string {
  const root = dirname(tree)
  return clonePathsNamed(dirname(root), basename(root)).pids
}

/** Whether the clone was made to the end and has not been taken apart since. */
export function isWhole(clone: ClonePaths): boolean {
  return existsSync(clone.ready) && CLONE_PARTS.every((part) => existsSync(join(clone.tree, '.git', part)))
}

/** Whether there is nothing at a place, and so nobody either. */
export function isAbsent({ root, own, removing }: ClonePaths): boolean {
  return ![root, own, removing].some(existsSync)
}

/** Where what we keep about places lies in the home. */
export const OWN = '.own'

const REMOVING = '.removing-'
// No safe name has a plus that is not followed by two hexadecimal digits.
const CHECKOUT = 'check+out-'
