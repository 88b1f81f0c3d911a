import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { carriedProblem, type Problem, ProblemError, problem } from '../../../../core/model/problem.ts'
import type { Backup } from '../../../../ports/backups.ts'
import { BUSY_TIMEOUT_MS, withFile } from '../../trouble.ts'
import { inspectFile } from '../inspect-file.ts'
import { queryOnce } from '../query-once.ts'
import { locationOf, openForReading } from './open-for-reading.ts'

/** Opens a backup after comparing everything in it with its checksums. */
export async function readBackup(stateFolder: string, file: string): Promise<Backup | Problem> {
  try {
    await withFile(file, () => inspectFile(file))
    const store = await withFile(file, () => openForReading(file))
    const { counts, damage } = await store.verify()
    if (damage[0] === undefined) return { store, counts, restore: () => restore(file, join(stateFolder, 'state.db')) }
    await store.close()
    return damaged(file, damage[0])
  } catch (error) {
    const carried = carriedProblem(error)
    if (carried === null) throw error
    return refusalOf(file, carried)
  }
}

const TABLES = ['ledgers', 'events', 'blobs', 'receipts', 'requests', 'runs']

/** Copies all rows in one transaction, so an interrupted restore leaves the state empty. */
async function restore(from: string, to: string): Promise<Problem | null> {
  const db = await withFile(to, () => new DatabaseSync(to, { timeout: BUSY_TIMEOUT_MS }))
  try {
    return await withFile(to, () => copyRows(db, from, to))
  } catch (error) {
    const carried = carriedProblem(error)
    if (carried === null) throw error
    return carried
  } finally {
    db.close()
  }
}

function copyRows(db: DatabaseSyncInstance, from: string, to: string): Problem | null {
  db.exec(`ATTACH '${locationOf(from).replaceAll("'", "''")}' AS backup`)
  try {
    db.exec('BEGIN IMMEDIATE')
    const [ledgers] = queryOnce(db, 'SELECT count(*) AS value FROM main.ledgers')
    if (ledgers !== 0) throw new ProblemError(notEmpty(to))
    for (const table of TABLES) db.exec(`INSERT INTO main.${table} SELECT * FROM backup.${table}`)
    db.exec('COMMIT')
    return null
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK')
    db.exec('DETACH backup')
  }
}

function refusalOf(file: string, found: Problem): Problem {
  if (found.code === 'state-damaged') return damaged(file, 'SQLite cannot read it', found)
  if (found.code === 'state-newer') return newer(file)
  return found.code === 'state-foreign' ? notABackup(file) : found
}

function damaged(file: string, what: string, cause?: unknown): Problem {
  return problem({
    code: 'backup-damaged',
    message: `The backup ${file} is damaged: ${what}. Nothing was restored.`,
    hint: 'Restore another backup, or copy this one again from where it was written.',
    retry: 'person',
    cause,
  })
}

function newer(file: string): Problem {
  return problem({
    code: 'backup-newer',
    message: `A newer Longhaul wrote the backup ${file}. Nothing was restored.`,
    hint: 'Install that version, then import the backup again.',
    retry: 'person',
  })
}

function notABackup(file: string): Problem {
  return problem({
    code: 'not-a-backup',
    message: `${file} is the database of another program. Nothing was restored.`,
    hint: 'Give a file that "longhaul backup" wrote, a task file, or the folder of an export.',
    retry: 'person',
  })
}

/** Reports a state that a backup would be mixed with. */
function notEmpty(file: string): Problem {
  return problem({
    code: 'state-not-empty',
    message: `${file} is not empty, and a backup is never mixed with other runs. Nothing was restored.`,
    hint: `To replace it: "longhaul stop" if an engine is running, "longhaul backup" if you may need it again, then move its folder away and import the backup again.`,
    retry: 'person',
  })
}
