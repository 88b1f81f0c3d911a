import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { carriedProblem, type Problem, ProblemError } from '../../../core/model/problem.ts'
import type { Store } from '../../../ports/store.ts'
import { BUSY_TIMEOUT_MS, withFile } from '../trouble.ts'
import { inspectFile } from './inspect-file.ts'
import { queryOnce } from './query-once.ts'
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts'
import { sqliteStore } from './sqlite-store.ts'
import { sqliteProblem } from './sqlite-version.ts'

/** Opens the state in a folder and creates what is missing; a file that cannot be used is left untouched. */
export async function openSqliteStore({ folder }: { readonly folder: string }): Promise<Store | Problem> {
  const file = join(folder, 'state.db')
  try {
    await withFile(file, () => {
      mkdirSync(folder, { recursive: true })
      accessSync(folder, constants.W_OK)
      inspectFile(file)
    })
    return sqliteStore(await withFile(file, () => openDatabase(file)), file)
  } catch (error) {
    const carried = carriedProblem(error)
    if (carried !== null) return carried
    throw error
  }
}

function openDatabase(file: string): DatabaseSyncInstance {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    const tooOld = sqliteProblem(db)
    if (tooOld !== null) throw new ProblemError(tooOld)
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    if (versionOf(db) === 0) createTables(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function createTables(db: DatabaseSyncInstance): void {
  db.exec('BEGIN IMMEDIATE')
  // Checked again under the lock: another process may have been faster.
  if (versionOf(db) === 0) db.exec(SCHEMA)
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`)
}

function versionOf(db: DatabaseSyncInstance): number {
  return Number(queryOnce(db, 'SELECT user_version AS value FROM pragma_user_version')[0])
}
