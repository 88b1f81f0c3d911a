import type { AttemptId } from '../../core/model/ids.ts'
import type { Problem } from '../../core/model/problem.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Containment } from '../../process/containment.ts'

/** What a driver gets to know of the place where its agents work. */
export interface DriverOptions {
  readonly clock: Clock
  readonly containment: Containment
  /** Where the agents of an attempt are recorded while they run. */
  readonly pidFolder: (attempt: AttemptId) => string
  /** Where the transcripts of an attempt are kept. */
  readonly transcriptFolder: (attempt: AttemptId) => string
  /** What every agent gets; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  /** Where relative script paths start. */
  readonly scriptFolder: string
  /** Puts values in the place of `$NAME`. */
  readonly resolveEnv: (env: Readonly<Record<string, string>>) => Readonly<Record<string, string>> | Problem
}
