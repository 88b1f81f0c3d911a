/** Time and chance: the only place they come from. */
export interface Clock {
  now(): number
  uuid(): string
  /** Calls back once, after so many milliseconds; returns how to call it off. */
  after(ms: number, wake: () => void): () => void
}
