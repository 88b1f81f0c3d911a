import type { AttemptFate } from '../../../core/limits/retention.ts'
import type { Problem } from '../../../core/model/problem.ts'
import type { RunState } from '../../../core/run/state.ts'
import type { Repository, Tools } from '../../../ports/repository.ts'
import type { FolderSize } from '../render/folder-size.ts'

/** Something of ours that nobody needs any more. */
export interface Freeable {
  readonly what: 'workspace' | 'checkout' | 'salvage' | 'transcripts' | 'records' | 'refs'
  readonly name: string
  readonly why: string
  /** What it takes on the disk; null: commits, which git shares. */
  readonly size: FolderSize | null
  free(): Promise<Problem | null>
}

/** What there is to look at. */
export interface Grounds {
  readonly place: Repository
  readonly tools: Tools
  /** The open run, or the one before; null: none. */
  readonly run: RunState | null
  /** Whether an engine is at work: what looks left behind may be its own. */
  readonly isBusy: boolean
  fateOf(attempt: string): AttemptFate
  readonly at: number
}
