import { describe, expect, test } from 'vitest'
import type { AttemptId } from '../../src/core/model/ids.ts'
import type { Lane, LaneJob } from '../../src/ports/lane.ts'

/** What every lane promises. */
export function laneConformance(name: string, make: () => Promise<Lane>): void {
  describe(`a lane: ${name}`, () => {
    test('what is offered is worked on once, and the offer settles after the work', async () => {
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

    test('several are worked on at once', async () => {
      const lane = await make()
      const meeting = meetingOf(3)
      lane.serve(() => meeting())
      const offers = Promise.all([1, 2, 3].map((stretch) => lane.offer(job(stretch), never())))
      await expect(offers).resolves.toBeDefined()
    })

    test('one that is withdrawn is told so, and settles', async () => {
      const lane = await make()
      const withdrawn = new AbortController()
      const started = meetingOf(2)
      lane.serve(async (_job, signal) => {
        await started()
        await aborted(signal)
      })
      const offer = lane.offer(job(1), withdrawn.signal)
      await started()
      withdrawn.abort()
      await expect(offer).resolves.toBeUndefined()
    })

    test('one that is withdrawn before it is offered is not worked on', async () => {
      const lane = await make()
      const seen: LaneJob[] = []
      lane.serve(async (it) => void seen.push(it))
      await lane.offer(job(1), AbortSignal.abort())
      expect(seen).toEqual([])
    })

    test('an error of the work is an error of the offer, and the next is worked on as ever', async () => {
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

/** Lets nobody on before so many have come. */
function meetingOf(count: number): () => Promise<void> {
  let here = 0
  let open: () => void
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    here += 1
    if (here === count) open()
    return opened
  }
}
