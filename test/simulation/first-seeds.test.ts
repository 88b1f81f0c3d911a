import { expect, test } from 'vitest'
import { playSeeds } from './play-seeds.ts'

test('seeds 1 to 250 keep every promise, and enough happens in them', async () => {
  const { broken, landed, unstruck } = await playSeeds(1, 250)
  expect({ broken, unstruck }).toEqual({ broken: [], unstruck: [] })
  expect(landed).toBeGreaterThan(250)
})
