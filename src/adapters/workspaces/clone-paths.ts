import { existsSync, lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { AttemptId } from '../../core/model/ids.ts'
import { plainName, safeName } from '../../git/names.ts'

/** Paths of one clone and of the files we keep about it. */
export interface ClonePaths {
  readonly name: string
  /** Parent of the tree, of this clone alone: damage to it cannot reach other clones. */
  readonly root: string
  readonly tree: string
  /** Folder of our own files about the clone, outside of the agent's reach. */
  readonly own: string
  /** Git folder of ours for work on the tree. Nothing in it is trusted: programs of the agent's can run with it. */
  readonly take: string
  /** New objects of that git folder. */
  readonly objects: string
  /** Folder of our indexes. */
  readonly indexes: string
  /** Our index of the tree. */
  readonly index: string
  /** Our list of what is left out of all work that is saved. */
  readonly excludes: string
  /** Record of the files that setup made. */
  readonly setUp: string
  readonly pids: string
  /** Marker file, written last; without it the clone is incomplete. */
  readonly ready: string
  /** Name that the root gets before it is removed. */
  readonly removing: string
}

/** Paths of an attempt's workspace. */
export function workspacePaths(home: string, attempt: AttemptId): ClonePaths {
  return clonePathsNamed(home, safeName(attempt))
}

/** Paths of a clean checkout. */
export function checkoutPaths(home: string, name: string): ClonePaths {
  return clonePathsNamed(home, `${CHECKOUT}${safeName(name)}`)
}

/** Paths of the clone with a name. */
export function clonePathsNamed(home: string, name: string): ClonePaths {
  const own = join(home, OWN, name)
  const take = join(own, 'take')
  return {
    name,
    root: join(home, name),
    tree: join(home, name, 'tree'),
    own,
    take,
    objects: join(take, 'objects'),
    indexes: join(take, 'indexes'),
    index: join(take, 'indexes', 'index'),
    excludes: join(take, 'exclude'),
    setUp: join(own, 'set-up.json'),
    pids: join(own, 'pids'),
    ready: join(own, 'ready'),
    removing: join(home, `${REMOVING}${name}`),
  }
}

/** Name of the clone that a folder of the home belongs to; null when it is not one of ours. */
export function cloneNameOf(entry: string): string | null {
  if (entry.startsWith(REMOVING)) return entry.slice(REMOVING.length)
  return entry.startsWith('.') ? null : entry
}

/** Attempt that a clone is lent to; null for checkouts. */
export function attemptOf(clone: ClonePaths): AttemptId | null {
  return clone.name.startsWith(CHECKOUT) ? null : (plainName(clone.name) as AttemptId)
}

/** Folder that records the processes started in a tree. */
export function pidFolderOf(tree: string): string {
  const root = dirname(tree)
  return clonePathsNamed(dirname(root), basename(root)).pids
}

/** Folder that programs in a tree get as their home. */
export function homeOf(tree: string): string {
  return join(dirname(pidFolderOf(tree)), 'home')
}

/** Folder of npm's cache for programs in a tree that share downloaded packages. */
export function npmFolderOf(tree: string, cache: string): string {
  return join(dirname(pidFolderOf(tree)), `npm-${cache}`)
}

/** True when the clone is complete and its git folder is intact. */
export function isWhole(clone: ClonePaths): boolean {
  return existsSync(clone.ready) && brokenPart(clone) === null
}

/** Returns a part of a clone that git needs and that is missing or not of its kind, or null. No link is followed. */
export function brokenPart({ tree }: ClonePaths): string | null {
  const kindOf = (part: string) => lstatSync(join(tree, part), { throwIfNoEntry: false })
  const folder = FOLDERS.find((part) => !kindOf(part)?.isDirectory())
  return folder ?? FILES.find((part) => !kindOf(part)?.isFile()) ?? null
}

// Parents first: with all of them seen to be real folders, the rest is inside the tree.
const FOLDERS = ['.', '.git', '.git/refs', '.git/objects', '.git/objects/info']
const FILES = ['.git/HEAD', '.git/config', '.git/objects/info/alternates']

/** True when nothing of the clone is on disk. */
export function isAbsent({ root, own, removing }: ClonePaths): boolean {
  return ![root, own, removing].some(existsSync)
}

/** Folder of the home that holds our own files about clones. */
export const OWN = '.own'

/** Name of a clone's remains that were set aside; no safe name has a tilde. */
export function asideName({ name }: ClonePaths, number: number): string {
  return `${name}${ASIDE}${number}`
}

/** True for remains that were set aside, whose name no clone gets again. */
export function isAside({ name }: ClonePaths): boolean {
  return name.includes(ASIDE)
}

const ASIDE = '~'
const REMOVING = '.removing-'
// Cannot clash with an attempt: in a safe name, a plus is always followed by two hexadecimal digits.
const CHECKOUT = 'check+out-'
