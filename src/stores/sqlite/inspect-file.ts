import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { type Problem, problem } from '../../core/model/problem.ts'
import { StoreTrouble } from '../../ports/store.ts'
import { BUSY_TIMEOUT_MS, backupOf } from '../trouble.ts'
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts'

/** Throws StoreTrouble for a state file that this program must not write to; changes nothing on the disk. */
export function inspectFile(file: string): void {
  // Only SQLite may open the file: closing any other handle on it would drop this process's locks on it.
  const isFresh = sizeOf(file) === 0
  const isHalfMade = sizeOf(`${file}-journal`) > 0
  if (isFresh || isHalfMade) return
  const db = openUnchanged(file)
  try {
    inspect(db, file)
  } finally {
    db.close()
  }
}

// Immutable: no lock, and no -wal and -shm files left beside a file that we refuse. Facts in a -wal must be seen, though.
function openUnchanged(file: string): DatabaseSyncInstance {
  const isInUse = sizeOf(`${file}-wal`) > 0
  const url = pathToFileURL(file)
  if (!isInUse) url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
}

function inspect(db: DatabaseSyncInstance, file: string): void {
  const version: number = db.prepare('PRAGMA user_version').get().user_version
  const application: number = db.prepare('PRAGMA application_id').get().application_id
  const tables: { name: string }[] = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()

  if (application !== APPLICATION_ID && (application !== 0 || tables.length > 0)) throw new StoreTrouble(foreign(file))
  if (version > MIGRATIONS.length) throw new StoreTrouble(newer(file, version))
  // A damaged table says so when it is read.
  for (const { name } of tables) db.prepare(`SELECT * FROM "${name}" LIMIT 1`).all()
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function foreign(file: string): Problem {
  return problem({
    code: 'state-foreign',
    message: `${file} is a database of another program. It was left untouched.`,
    hint: `Move it to ${backupOf(file)}, or where it belongs, then do the same again.`,
    retry: 'never',
  })
}

function newer(file: string, version: number): Problem {
  return problem({
    code: 'state-newer',
    message: `${file} has version ${version}, which a newer Longhaul wrote; this one knows ${MIGRATIONS.length}. It was left untouched.`,
    hint: `Install the newer Longhaul. To start with an empty state instead, move the file to ${backupOf(file)}.`,
    retry: 'never',
  })
}
