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
