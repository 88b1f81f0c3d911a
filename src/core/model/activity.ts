import type { AttemptId } from './ids.ts'

/** Current activity of a session. */
export type Activity =
  /** No round is running. */
  | { readonly kind: 'idle' }
  /** The model has been called and has not answered yet. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'streaming' }
  | { readonly kind: 'tool'; readonly name: string }
  /** The agent is busy without the model: hooks, compaction, tool results. */
  | { readonly kind: 'processing' }
  /** The model was unreachable or overloaded; `until` is the time of the next try, or null when unknown. */
  | { readonly kind: 'retrying'; readonly attempt: number; readonly until: number | null }

/** Activity of a live session as its engine last published it for other processes; not a fact. */
export interface ShownActivity {
  readonly attempt: AttemptId
  readonly round: number
  readonly activity: Activity
  /** Start of this activity. */
  readonly since: number
  /** Time of the agent's last sign of life. */
  readonly heardAt: number
  /** Number of signs of life in this round. */
  readonly signs: number
  /** Time of publication; after a few missed heartbeats the engine counts as gone. */
  readonly at: number
}
