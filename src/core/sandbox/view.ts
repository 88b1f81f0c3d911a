import type { SandboxLevel } from '../model/settings.ts'

/** Why a program is started in a workspace. */
export type Purpose = 'agent' | 'check' | 'setup' | 'hook' | 'git'

/** Part of the file system as a sandboxed program sees it. */
export interface Mount {
  readonly path: string
  /** `private`: empty and writable, gone with the program; `hidden`: empty; `blank`: a file without content. */
  readonly as: 'read' | 'write' | 'private' | 'hidden' | 'blank'
}

/** Places on this machine that matter to a sandbox; all exist and are free of symbolic links. */
export interface SandboxPlaces {
  /** Folders of users, which hold their keys. */
  readonly homes: readonly string[]
  /** Folders that no program inside may see: our state, other workspaces, the user's checkouts and git folders. */
  readonly hidden: readonly string[]
  /** Folders for temporary files and sockets, which every program has for itself. */
  readonly temporary: readonly string[]
  /** Files that only root may read. */
  readonly secrets: readonly string[]
  /** Installed programs and other folders that are shown even where their surroundings are hidden. */
  readonly shown: readonly string[]
  /** The workspace, its home, and other folders that the program may write. */
  readonly writable: readonly string[]
  /** Roots that the level `strict` shows; everything else is missing there. */
  readonly strictRoots: readonly string[]
}

/** Returns the file system of a sandboxed program; null when it sees everything as it is. */
export function viewOf(level: SandboxLevel, places: SandboxPlaces): readonly Mount[] | null {
  if (level === 'trusted') return null
  const { homes, hidden, temporary, secrets, shown, writable, strictRoots } = places
  const roots = level === 'strict' ? strictRoots : ['/']
  return parentsFirst([
    ...roots.map((path) => ({ path, as: 'read' }) as const),
    ...temporary.map((path) => ({ path, as: 'private' }) as const),
    ...homes.map((path) => ({ path, as: 'hidden' }) as const),
    ...hidden.map((path) => ({ path, as: 'hidden' }) as const),
    ...secrets.map((path) => ({ path, as: 'blank' }) as const),
    ...shown.map((path) => ({ path, as: 'read' }) as const),
    ...writable.map((path) => ({ path, as: 'write' }) as const),
  ])
}

/** Orders mounts so that each covers what contains it; of several at one path the last counts. */
function parentsFirst(mounts: readonly Mount[]): readonly Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]))
  return [...byPath.values()].sort((a, b) => depthOf(a.path) - depthOf(b.path))
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1
}
