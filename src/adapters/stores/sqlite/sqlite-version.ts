import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { type Problem, problem } from '../../../core/model/problem.ts'
import { queryOnce } from './query-once.ts'

// Older versions can damage a write-ahead log that several processes use.
const SQLITE_NEEDED = [3, 51, 3]

/** Returns the version of SQLite in use, or the reason why it must not be used. */
export function sqliteVersion(): string | Problem {
  const db = new DatabaseSync(':memory:')
  try {
    return sqliteProblem(db) ?? `SQLite ${versionOf(db)}`
  } finally {
    db.close()
  }
}

/** Checks the SQLite behind a database; null when it may be used. */
export function sqliteProblem(db: DatabaseSyncInstance): Problem | null {
  const version = versionOf(db)
  if (isAtLeast(version.split('.').map(Number), SQLITE_NEEDED)) return null
  return problem({
    code: 'sqlite-too-old',
    message: `Longhaul needs SQLite ${SQLITE_NEEDED.join('.')} or newer to keep its state safely; this is ${version}.`,
    hint: 'Install Longhaul again with the packages of its lock file (npm ci).',
    retry: 'never',
  })
}

function versionOf(db: DatabaseSyncInstance): string {
  return String(queryOnce(db, 'SELECT sqlite_version() AS value')[0])
}

function isAtLeast(version: readonly number[], needed: readonly number[]): boolean {
  const place = needed.findIndex((part, index) => part !== version[index])
  return place < 0 || (version[place] ?? 0) > (needed[place] ?? 0)
}
