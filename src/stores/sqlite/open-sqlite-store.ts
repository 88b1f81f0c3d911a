import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { type Problem, problem } from '../../core/model/problem.ts'
import { type Store, StoreTrouble } from '../../ports/store.ts'
import { BUSY_TIMEOUT_MS, withFile } from '../trouble.ts'
import { inspectFile } from './inspect-file.ts'
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts'
import { queryOnce } from './query-once.ts'
import { sqliteStore } from './sqlite-store.ts'

/** Opens the state in a folder, making both where they are missing; a file that it cannot use is left untouched. */
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
    if (error instanceof StoreTrouble) return error.problem
    throw error
  }
}

function openDatabase(file: string): DatabaseSyncInstance {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    checkSqlite(db)
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    if (versionOf(db) < MIGRATIONS.length) migrate(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function migrate(db: DatabaseSyncInstance): void {
  db.exec('BEGIN IMMEDIATE')
  // Asked again under the lock: another process may have been quicker.
  for (const migration of MIGRATIONS.slice(versionOf(db))) db.exec(migration)
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`)
}

function versionOf(db: DatabaseSyncInstance): number {
  return Number(queryOnce(db, 'SELECT user_version AS value FROM pragma_user_version')[0])
}

// Older ones can damage a write-ahead log that several processes use.
const SQLITE_NEEDED = [3, 51, 3]

function checkSqlite(db: DatabaseSyncInstance): void {
  const version = String(queryOnce(db, 'SELECT sqlite_version() AS value')[0])
  if (isAtLeast(version.split('.').map(Number), SQLITE_NEEDED)) return
  throw new StoreTrouble(
    problem({
      code: 'sqlite-too-old',
      message: `Longhaul needs SQLite ${SQLITE_NEEDED.join('.')} or newer to keep its state safely; this is ${version}.`,
      hint: 'Install Longhaul again, with the packages that its lock file names.',
      retry: 'never',
    }),
  )
}

function isAtLeast(version: readonly number[], needed: readonly number[]): boolean {
  const place = needed.findIndex((part, index) => part !== version[index])
  return place < 0 || (version[place] ?? 0) > (needed[place] ?? 0)
}
