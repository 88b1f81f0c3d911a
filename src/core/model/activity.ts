import type { AttemptId } from './ids.ts'

/** What a session is doing now. */
export type Activity =
  /** Nothing: no round is going on. */
  | { readonly kind: 'idle' }
  /** The model has been asked and has said nothing yet. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'streaming' }
  | { readonly kind: 'tool'; readonly name: string }
  /** The agent works on something by itself: hooks, compaction, results of tools. */
  | { readonly kind: 'processing' }
  /** The model could not be reached or was busy; `until`: when it is asked again, where that is known. */
  | { readonly kind: 'retrying'; readonly attempt: number; readonly until: number | null }

/** What a live session was doing when its engine last told; for other processes to see, and no fact. */
export interface ShownActivity {
  readonly attempt: AttemptId
  readonly round: number
  readonly activity: Activity
  /** Since when it does this. */
  readonly since: number
  /** The agent's last sign of life. */
  readonly heardAt: number
  /** Its signs of life in this round. */
  readonly signs: number
  /** When the engine last told: some heartbeats ago, it is gone. */
  readonly at: number
}
