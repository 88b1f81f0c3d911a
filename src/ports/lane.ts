import type { AttemptId } from '../core/model/ids.ts'

/** Where attempts wait for a worker. */
export interface Lane {
  /** Says who works on what is offered. */
  serve(worker: (job: LaneJob, signal: AbortSignal) => Promise<void>): void
  /** Offers one stretch of an attempt's work; settles when it is over or withdrawn. */
  offer(job: LaneJob, signal: AbortSignal): Promise<void>
}

export interface LaneJob {
  readonly attempt: AttemptId
  readonly id: string
}
