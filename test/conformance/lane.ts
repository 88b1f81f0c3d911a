import { describe, expect, test } from 'vitest'
import type { AttemptId } from '../../src/core/model/ids.ts'
import type { Lane, LaneJob } from '../../src/ports/lane.ts'

/** Conformance suite for lanes. */
export function laneConformance(name: string, make: () => Promise<Lane>): void {
  describe(`a lane: ${name}`, () => {
    test('an offered job is worked on once, and the offer settles after the work', async () => {
      const lane = await make()
      const seen: string[] = []
      lane.serve(async ({ id }) => {
        seen.push(`start ${id}`)
        await soon()
        seen.push(`end ${id}`)
      })
      await lane.offer(job(1), never())
      seen.push('settled')
      expect(seen).toEqual(['start a-a1/1', 'end a-a1/1', 'settled'])
    })

    test('several jobs are worked on at the same time', async () => {
      const lane = await make()
      const barrier = barrierFor(3)
      lane.serve(() => barrier())
      const offers = Promise.all([1, 2, 3].map((stretch) => lane.offer(job(stretch), never())))
      await expect(offers).resolves.toBeDefined()
    })

    test('a withdrawn offer aborts its work and settles', async () => {
      const lane = await make()
      const withdrawn = new AbortController()
      const started = barrierFor(2)
      lane.serve(async (_job, signal) => {
        await started()
        await aborted(signal)
      })
      const offer = lane.offer(job(1), withdrawn.signal)
      await started()
      withdrawn.abort()
      await expect(offer).resolves.toBeUndefined()
    })

    test('an offer that is withdrawn beforehand is not worked on', async () => {
      const lane = await make()
      const seen: LaneJob[] = []
      lane.serve(async (offered) => void seen.push(offered))
      await lane.offer(job(1), AbortSignal.abort())
      expect(seen).toEqual([])
    })

    test('an error in the work rejects the offer, and the next job runs normally', async () => {
      const lane = await make()
      lane.serve(async ({ id }) => {
        if (id === job(1).id) throw new Error('a bug')
      })
      await expect(lane.offer(job(1), never())).rejects.toThrow('a bug')
      await lane.offer(job(2), never())
    })
  })
}

function job(stretch: number): LaneJob {
  return { attempt: 'a-a1' as AttemptId, id: `a-a1/${stretch}` }
}

function never(): AbortSignal {
  return new AbortController().signal
}

function soon(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Returns a barrier that opens when it has been entered `count` times. */
function barrierFor(count: number): () => Promise<void> {
  let waiting = 0
  let open: () => void
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    waiting += 1
    if (waiting === count) open()
    return opened
  }
}
