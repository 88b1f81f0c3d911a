import { existsSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { type Problem, ProblemError, problem } from '../../../core/model/problem.ts'
import { BUSY_TIMEOUT_MS, backupOf, damaged } from '../trouble.ts'
import { queryOnce } from './query-once.ts'
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.ts'

const CHECKED_BYTES_MAX = 16_000_000
const QUICK_CHECK = 'SELECT quick_check AS value FROM pragma_quick_check'

/** Throws a ProblemError for a state file that this program must not write to; changes nothing on disk. */
export function inspectFile(file: string): void {
  // Only SQLite may open the file: closing another handle would drop the locks of this process.
  const isFresh = sizeOf(file) === 0
  const isHalfMade = sizeOf(`${file}-journal`) > 0
  if (isFresh || isHalfMade) return
  if (existsSync(`${file}-wal`)) inspectInUse(file)
  else inspectIdle(file)
}

function inspectInUse(file: string): void {
  inspectAndClose(new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS }), file)
}

// Reads without locks, so that no -wal and -shm files are left beside a file that we refuse. If another process starts to
// write meanwhile, the result is void and the file is inspected again.
function inspectIdle(file: string): void {
  const before = stampOf(file)
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  try {
    inspectAndClose(new DatabaseSync(url, { readOnly: true }), file)
  } catch (error) {
    if (stampOf(file) === before) throw error
    inspectFile(file)
  }
}

function inspectAndClose(db: DatabaseSyncInstance, file: string): void {
  try {
    inspect(db, file)
  } finally {
    db.close()
  }
}

function inspect(db: DatabaseSyncInstance, file: string): void {
  const [version] = queryOnce(db, 'SELECT user_version AS value FROM pragma_user_version')
  const [application] = queryOnce(db, 'SELECT application_id AS value FROM pragma_application_id')
  const tables = queryOnce(db, "SELECT name AS value FROM sqlite_schema WHERE type = 'table'")

  if (application !== APPLICATION_ID && (application !== 0 || tables.length > 0)) throw new ProblemError(foreign(file))
  if (Number(version) > SCHEMA_VERSION) throw new ProblemError(newer(file, Number(version)))
  // About a millisecond per megabyte; damage in a large file shows when it is read.
  const [result] = sizeOf(file) > CHECKED_BYTES_MAX ? ['ok'] : queryOnce(db, QUICK_CHECK)
  if (result !== 'ok') throw new ProblemError(damaged(file, new Error(`${result}`.trim())))
}

function stampOf(file: string): string {
  const { mtimeMs, size } = statSync(file)
  return `${mtimeMs} ${size} ${existsSync(`${file}-wal`)}`
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function foreign(file: string): Problem {
  return problem({
    code: 'state-foreign',
    message: `${file} is the database of another program. It was left untouched.`,
    hint: `Move it to ${backupOf(file)}, or where it belongs, then run the command again.`,
    retry: 'never',
  })
}

function newer(file: string, version: number): Problem {
  return problem({
    code: 'state-newer',
    message: `${file} has version ${version}, which a newer Longhaul wrote; this one knows ${SCHEMA_VERSION}. It was left untouched.`,
    hint: `Install the newer Longhaul. To start with an empty state instead, move the file to ${backupOf(file)}.`,
    retry: 'never',
  })
}
