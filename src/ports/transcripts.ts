import type { AttemptId } from '../core/model/ids.ts'

/** Raw output of agents and the prompts they got, up to a size limit; may be deleted. */
export interface Transcripts {
  write(attempt: AttemptId, round: number, entry: TranscriptEntry): void
  /** Closes the file of the attempt; a later write opens it again. */
  close(attempt: AttemptId): void
}

export type TranscriptEntry =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'line'; readonly text: string }

/** End of an agent's output in its latest round. */
export interface TranscriptTail {
  readonly round: number
  /** True when there is more before it. */
  readonly isCut: boolean
  readonly lines: readonly string[]
}
