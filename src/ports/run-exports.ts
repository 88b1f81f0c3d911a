import type { Commit, LedgerId, RunId } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'
import type { Store } from './store.ts'

/** Exports whole runs as plain files in a folder; an import verifies every file first. */
export interface RunExports {
  write(folder: string, order: ExportOrder): Promise<ExportHeader | Problem>
  read(folder: string): Promise<RunExport | Problem>
}

export interface ExportOrder {
  readonly store: Store
  /** Ledgers of the runs and of their attempts. */
  readonly ledgers: readonly LedgerId[]
  readonly about: ExportAbout
  /** Folders of transcripts to include, by the name they get. */
  readonly transcripts: ReadonlyMap<string, string>
  /** Text of the settings file, or null. */
  readonly settings: string | null
  /** Cancels the export; nothing of it remains. */
  readonly signal: AbortSignal
}

/** Description of an export. */
export interface ExportAbout {
  /** Runs in the export, oldest first. */
  readonly runs: readonly ExportedRun[]
  readonly exportedAt: string
  /** Path of the exported repository, for people. */
  readonly repository: string
  /** Commits that the importing repository must have. */
  readonly commits: readonly { readonly commit: Commit; readonly what: string }[]
}

export interface ExportedRun {
  readonly run: RunId
  readonly target: string
  /** Commit of the landing line, or null when it was never opened. */
  readonly line: Commit | null
}

export interface ExportHeader extends ExportAbout {
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[]
}

/** Export that has been verified. */
export interface RunExport {
  readonly header: ExportHeader
  readonly settings: string | null
  /**
   * Copies events and texts into a store, with their order and names; keeps those that an earlier try has copied. The
   * summaries are written last, which makes the runs visible.
   */
  importInto(store: Store, summary: (run: RunId) => Promise<unknown>): Promise<Problem | null>
  /** Copies the transcripts into a folder; existing files stay. */
  copyTranscripts(folder: string): Promise<void>
}
