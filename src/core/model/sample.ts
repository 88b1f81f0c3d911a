/** Turns and time of the longest round of a landed task. */
export interface Sample {
  readonly turns: number
  readonly ms: number
}

/** Samples of earlier work by kind of task, oldest first. */
export type Samples = Readonly<Record<string, readonly Sample[]>>
