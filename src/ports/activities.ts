import type { ShownActivity } from '../core/model/activity.ts'
import type { AttemptId } from '../core/model/ids.ts'

/** What live sessions are doing now, shown to other processes. Nothing depends on it: a disk that fails it is no trouble. */
export interface Activities {
  /** Replaces what was shown of the attempt. */
  show(shown: ShownActivity): void
  /** The attempt's round is over. */
  forget(attempt: AttemptId): void
  /** Forgets what an earlier engine left. */
  clear(): void
  /** What is shown of each attempt; `currentActivity` says what of it still counts. */
  read(): ReadonlyMap<AttemptId, ShownActivity>
}
