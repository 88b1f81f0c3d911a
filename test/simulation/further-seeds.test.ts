import { expect, test } from 'vitest'
import { playSeeds } from './play-seeds.ts'

test('seeds 251 to 500 keep every promise, and enough happens in them', async () => {
  const { broken, landed, unstruck } = await playSeeds(251, 500)
  expect({ broken, unstruck }).toEqual({ broken: [], unstruck: [] })
  expect(landed).toBeGreaterThan(250)
})
