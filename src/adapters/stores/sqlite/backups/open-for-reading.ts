import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Store } from '../../../../ports/store.ts'
import { sqliteStore } from '../sqlite-store.ts'

/** Opens a state file that no process writes to; its folder may be read-only. */
export function openForReading(file: string): Store {
  return sqliteStore(new DatabaseSync(locationOf(file), { readOnly: true }), file)
}

/** Returns the address of a state file for SQLite; a copy with a write-ahead log beside it needs its folder. */
export function locationOf(file: string): string {
  if (existsSync(`${file}-wal`)) return file
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  return url.href
}
