import { existsSync, realpathSync } from 'node:fs'
import { link, mkdtemp, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { carriedProblem, type Problem, problem } from '../../../../core/model/problem.ts'
import type { BackupWritten } from '../../../../ports/backups.ts'
import type { StoreExamined } from '../../../../ports/store.ts'
import { makeFolder } from '../../make-folder.ts'
import { BUSY_TIMEOUT_MS, factDamaged, withFile } from '../../trouble.ts'
import { whyUnwritable } from '../../why-unwritable.ts'
import { inspectFile } from '../inspect-file.ts'
import { openForReading } from './open-for-reading.ts'

/** Copies the state into a new file, which appears under its name only when it is complete and verified. */
export async function writeBackup(
  stateFolder: string,
  file: string,
  signal: AbortSignal,
): Promise<BackupWritten | Problem> {
  let partial: string | null = null
  try {
    await makeFolder(dirname(file))
    const refused = refusalOf(stateFolder, file)
    if (refused !== null) return refused
    partial = await mkdtemp(join(dirname(file), `.${basename(file)}-`))
    const copy = join(partial, 'state.db')
    const counts = await copyState(join(stateFolder, 'state.db'), copy, signal)
    await syncToDisk(copy)
    signal.throwIfAborted()
    const isPlaced = await place(copy, file)
    if (!isPlaced) return taken(file)
    await syncToDisk(dirname(file))
    return { bytes: (await stat(file)).size, counts }
  } catch (cause) {
    const carried = carriedProblem(cause)
    return carried === null || carried.code === 'disk-full' ? unwritable(file, carried?.cause ?? cause) : carried
  } finally {
    if (partial !== null) await rm(partial, { recursive: true, force: true })
  }
}

function refusalOf(stateFolder: string, file: string): Problem | null {
  if (existsSync(file)) return taken(file)
  const way = relative(realpathSync(stateFolder), realpathSync(dirname(file)))
  return way === '..' || way.startsWith(`..${sep}`) ? null : inside(file, stateFolder)
}

/** Copies one snapshot of the state, whatever an engine records meanwhile, and verifies the copy. */
async function copyState(from: string, to: string, signal: AbortSignal): Promise<StoreExamined['counts']> {
  await withFile(from, () => {
    inspectFile(from)
    const db = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
    try {
      db.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`)
    } finally {
      db.close()
    }
  })
  signal.throwIfAborted()
  const store = openForReading(to)
  try {
    const { counts, damage } = await store.verify()
    if (damage[0] !== undefined) throw factDamaged(from, damage[0])
    return counts
  } finally {
    await store.close()
  }
}

/** Gives a file its final name; false when the name is taken. */
async function place(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // Some disks, such as USB sticks, have no links.
    if (existsSync(to)) return false
    await rename(from, to)
    return true
  }
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function taken(file: string): Problem {
  return problem({
    code: 'backup-exists',
    message: `No backup was written: ${file} exists already.`,
    hint: 'Give a file that does not exist yet.',
    retry: 'person',
  })
}

function inside(file: string, stateFolder: string): Problem {
  return problem({
    code: 'backup-inside-state',
    message: `No backup was written: ${file} would be lost with the state in ${stateFolder}.`,
    hint: 'Give a file outside of that folder, best on another disk.',
    retry: 'person',
  })
}

function unwritable(file: string, cause: unknown): Problem {
  return problem({
    code: 'backup-unwritable',
    message: `The backup could not be written to ${file}: ${whyUnwritable(cause)}.`,
    hint: 'Give a file on a disk that is writable and has room. Nothing of this backup was kept.',
    retry: 'person',
    cause,
  })
}
