import type { Problem } from '../core/model/problem.ts'
import type { Store, StoreExamined } from './store.ts'

/** Copies of a repository's whole state, in one file each. */
export interface Backups {
  /** Writes a consistent copy into a new file and verifies it; an engine may be running. */
  write(file: string, signal: AbortSignal): Promise<BackupWritten | Problem>
  /** Opens a backup after verifying everything in it; the caller closes its store. */
  read(file: string): Promise<Backup | Problem>
}

export interface BackupWritten {
  readonly bytes: number
  readonly counts: StoreExamined['counts']
}

/** Backup that has been verified. */
export interface Backup {
  /** Store that can only be read. */
  readonly store: Store
  readonly counts: StoreExamined['counts']
  /** Copies everything into the repository's empty state in one transaction; a problem when the state is not empty. */
  restore(): Promise<Problem | null>
}
