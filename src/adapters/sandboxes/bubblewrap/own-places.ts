import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folders that the programs of one workspace or checkout have for themselves. */
export interface OwnPlaces {
  /** Their home. */
  readonly home: string
  /** Text of the `.gitconfig` in a new home. */
  readonly gitConfig: string
  /** Cache of npm, of which the packages are shared with other workspaces; null for one in the home. */
  readonly npm: { readonly folder: string; readonly packages: string } | null
}

/** Creates the places that are missing; returns folders that programs write, and variables that lead there. */
export function makeOwnPlaces({ home, gitConfig, npm }: OwnPlaces): {
  readonly writes: readonly string[]
  readonly env: Readonly<Record<string, string>>
} {
  makeFolder(home)
  unlessThere(() => writeFileSync(join(home, '.gitconfig'), gitConfig, { flag: 'wx' }))
  if (npm === null) return { writes: [home], env: { HOME: home } }
  makeFolder(npm.folder)
  makeFolder(npm.packages)
  // Only packages are shared, which npm compares with the lock file: programs that npx installed could be anything.
  unlessThere(() => symlinkSync(npm.packages, join(npm.folder, '_cacache')))
  return { writes: [home, npm.folder, npm.packages], env: { HOME: home, npm_config_cache: npm.folder } }
}

function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
}

/** Leaves alone what a program has put there. */
function unlessThere(make: () => void): void {
  try {
    make()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
}
