import type { ShownActivity } from '../core/model/activity.ts'
import type { AttemptId } from '../core/model/ids.ts'

/** Publishes what live sessions are doing, for other processes. Best effort: failures of the disk are ignored. */
export interface Activities {
  /** Replaces the published activity of the attempt. */
  show(shown: ShownActivity): void
  /** Removes the activity of an attempt whose round has ended. */
  forget(attempt: AttemptId): void
  /** Removes all activities that an earlier engine left. */
  clear(): void
  /** Returns the published activities, also outdated ones; `currentActivity` filters those. */
  read(): ReadonlyMap<AttemptId, ShownActivity>
}
