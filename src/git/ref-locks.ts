import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Lock file of git. */
export interface RefLock {
  readonly file: string
  /** True when only Longhaul writes the locked ref. */
  readonly isOurs: boolean
  readonly changedAt: number
}

const OURS = ['refs/longhaul', 'refs/heads/longhaul']

/** Finds lock files in a git folder that block refs or the index. */
export async function findLocks(gitDir: string): Promise<readonly RefLock[]> {
  const inRoot = (await namesIn(gitDir)).map((name) => join(gitDir, name))
  const ours = await Promise.all(
    OURS.map(async (prefix) => (await namesBelow(join(gitDir, prefix))).map((name) => join(gitDir, prefix, name))),
  )
  const isLock = (file: string) => file.endsWith('.lock')
  return [
    ...(await Promise.all(
      ours
        .flat()
        .filter(isLock)
        .map((file) => lockAt(file, true)),
    )),
    ...(await Promise.all(inRoot.filter(isLock).map((file) => lockAt(file, false)))),
  ]
}

async function lockAt(file: string, isOurs: boolean): Promise<RefLock> {
  const stats = await stat(file).catch(() => null) // gone again: counts as new
  return { file, isOurs, changedAt: stats?.mtimeMs ?? Number.POSITIVE_INFINITY }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []) // no such folder, no locks
}

async function namesBelow(folder: string): Promise<readonly string[]> {
  return readdir(folder, { recursive: true }).catch(() => []) // no such folder, no locks
}
