import type { Commit, LedgerId, RunId } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'
import type { Store } from './store.ts'

/** Whole runs as plain files in a folder: written in one piece, and read only when every file is as it was written. */
export interface RunExports {
  write(folder: string, order: ExportOrder): Promise<ExportHeader | Problem>
  read(folder: string): Promise<RunExport | Problem>
}

export interface ExportOrder {
  readonly store: Store
  /** The run's ledger and those of its attempts. */
  readonly ledgers: readonly LedgerId[]
  readonly about: ExportAbout
  /** Folders of transcripts to take along, by the name they get. */
  readonly transcripts: ReadonlyMap<string, string>
  /** The settings file; null: there is none. */
  readonly settings: string | null
  /** Calls it off; nothing is left then. */
  readonly signal: AbortSignal
}

/** What an export says about itself. */
export interface ExportAbout {
  readonly run: RunId
  readonly target: string
  readonly exportedAt: string
  /** Where it comes from, for people. */
  readonly repository: string
  /** Where the landing line stands; null: it was never opened. */
  readonly line: Commit | null
  /** What the repository that takes it in must have. */
  readonly commits: readonly { readonly commit: Commit; readonly what: string }[]
}

export interface ExportHeader extends ExportAbout {
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[]
}

/** An export that has been looked through and is whole. */
export interface RunExport {
  readonly header: ExportHeader
  readonly settings: string | null
  /**
   * Brings its facts and texts into a store, in their old order and under their old names; what an earlier try brought
   * in stays. The run shows up with its summary, last.
   */
  takeIn(store: Store, summary: () => Promise<unknown>): Promise<Problem | null>
  /** Copies its transcripts into a folder; what is there stays. */
  copyTranscripts(folder: string): Promise<void>
}
