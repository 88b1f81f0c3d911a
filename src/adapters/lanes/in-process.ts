import type { Lane, LaneJob } from '../../ports/lane.ts'

/** Lane that works on offered jobs immediately, in this process. */
export function inProcessLane(): Lane {
  let work: ((job: LaneJob, signal: AbortSignal) => Promise<void>) | null = null
  return {
    serve(worker) {
      work = worker
    },
    async offer(job, signal) {
      if (work === null) throw new Error(`The lane has no worker for ${job.id}.`)
      if (!signal.aborted) await work(job, signal)
    },
  }
}
