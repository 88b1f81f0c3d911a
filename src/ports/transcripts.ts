import type { AttemptId } from '../core/model/ids.ts'

/** Agents' raw output and the prompts they were sent; prunable, size-capped. */
export interface Transcripts {
  write(attempt: AttemptId, round: number, entry: TranscriptEntry): void
  /** Nothing more comes for now. */
  close(attempt: AttemptId): void
}

export type TranscriptEntry =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'line'; readonly text: string }

/** The end of what an agent said in its latest round. */
export interface TranscriptTail {
  readonly round: number
  /** Whether there is more before it. */
  readonly isCut: boolean
  readonly lines: readonly string[]
}
