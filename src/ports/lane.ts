import type { AttemptId } from '../core/model/ids.ts'

/** Queue in which attempts wait for a worker. */
export interface Lane {
  /** Sets the worker for offered jobs. */
  serve(worker: (job: LaneJob, signal: AbortSignal) => Promise<void>): void
  /** Offers one job of an attempt; resolves when it is finished or cancelled. */
  offer(job: LaneJob, signal: AbortSignal): Promise<void>
}

export interface LaneJob {
  readonly attempt: AttemptId
  readonly id: string
}
