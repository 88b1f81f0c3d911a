import type { Backups } from '../../../../ports/backups.ts'
import { readBackup } from './read-backup.ts'
import { writeBackup } from './write-backup.ts'

/** Writes and reads backups of the state in a folder: SQLite files of the same tables. */
export function sqliteBackups(stateFolder: string): Backups {
  return {
    write: (file, signal) => writeBackup(stateFolder, file, signal),
    read: (file) => readBackup(stateFolder, file),
  }
}
