import type { Commit } from './ids.ts'

/** Landing of a task that changed a file which only a person may change. */
export interface LandedChange {
  readonly file: string
  readonly commit: Commit
  readonly task: string
}
