import type { Lane, LaneJob } from '../../ports/lane.ts'

/** The lane of one machine: what is offered is worked on at once, in this process. */
export function inProcessLane(): Lane {
  let work: ((job: LaneJob, signal: AbortSignal) => Promise<void>) | null = null
  return {
    serve(worker) {
      work = worker
    },
    async offer(job, signal) {
      if (work === null) throw new Error(`Nobody serves the lane on which ${job.id} is offered.`)
      if (!signal.aborted) await work(job, signal)
    },
  }
}
