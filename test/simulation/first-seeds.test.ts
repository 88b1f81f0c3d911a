import { expect, test } from 'vitest'
import { playSeeds } from './play-seeds.ts'

test('seeds 1 to 250 break no promise and exercise every required fault', async () => {
  const { broken, landed, missingFaults } = await playSeeds(1, 250)
  expect({ broken, missingFaults }).toEqual({ broken: [], missingFaults: [] })
  expect(landed).toBeGreaterThan(250)
})
