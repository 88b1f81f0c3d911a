/** Only source of time and of random ids. */
export interface Clock {
  now(): number
  uuid(): string
  /** Calls back once after a delay; returns a function that cancels it. */
  after(ms: number, wake: () => void): () => void
}
