import { expect, test } from 'vitest'
import { playSeeds } from './play-seeds.ts'

test('seeds 251 to 500 break no promise and exercise every required fault', async () => {
  const { broken, landed, missingFaults } = await playSeeds(251, 500)
  expect({ broken, missingFaults }).toEqual({ broken: [], missingFaults: [] })
  expect(landed).toBeGreaterThan(250)
})
