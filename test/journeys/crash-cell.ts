/** A crash: a victim that is killed after an event, or trouble with storage at some moment. */
export interface Cell {
  readonly scenario: string
  /** Event as "ledger kind", or trouble. */
  readonly row: string
  /** Victim, or moment of the trouble. */
  readonly column: string
}

/** Outcome of a crash. */
export interface Outcome {
  /** False when there was no such process, as with agents after late events, or no disk could be mounted. */
  readonly hasHappened: boolean
  /** Faults afterwards, one line each. */
  readonly faults: readonly string[]
}
