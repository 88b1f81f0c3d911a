import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A lock file of git's. */
export interface RefLock {
  readonly file: string
  /** Whether it is on a ref that only we write. */
  readonly isOurs: boolean
  readonly changedAt: number
}

const OURS = ['refs/longhaul', 'refs/heads/longhaul']

/** The lock files in a git folder that keep refs or the index from being written. */
export async function findLocks(gitDir: string): Promise<readonly RefLock[]> {
  const inRoot = (await namesIn(gitDir)).map((name) => join(gitDir, name))
  const ours = await Promise.all(
    OURS.map(async (way) => (await below(join(gitDir, way))).map((name) => join(gitDir, way, name))),
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
  const found = await stat(file).catch(() => null) // gone again: as young as can be
  return { file, isOurs, changedAt: found?.mtimeMs ?? Number.POSITIVE_INFINITY }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []) // no such folder, no locks
}

async function below(folder: string): Promise<readonly string[]> {
  return readdir(folder, { recursive: true }).catch(() => []) // no such folder, no locks
}
