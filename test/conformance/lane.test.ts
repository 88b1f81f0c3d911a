import { expect, test } from 'vitest'
import { inProcessLane } from '../../src/adapters/lanes/in-process.ts'
import type { AttemptId } from '../../src/core/model/ids.ts'
import { laneConformance } from './lane.ts'

laneConformance('in-process', async () => inProcessLane())

test('an offer on a lane without a server throws, because that is a bug', async () => {
  const offer = inProcessLane().offer({ attempt: 'a-a1' as AttemptId, id: 'a-a1/1' }, new AbortController().signal)
  await expect(offer).rejects.toThrow('The lane has no worker for a-a1/1.')
})
