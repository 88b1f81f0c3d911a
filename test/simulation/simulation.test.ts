import { expect, test } from 'vitest'
import { checkSeed } from './check-seed.ts'

const SEEDS = 500

test(`${SEEDS} seeds keep every promise`, async () => {
  const broken: string[] = []
  const struck: Record<string, number> = {}
  let landed = 0
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { faults, played } = await checkSeed(seed)
    for (const [fault, times] of Object.entries(played.world.trace.faults)) struck[fault] = (struck[fault] ?? 0) + times
    landed += played.world.trace.advances.length
    if (faults.length > 0) broken.push(`seed ${seed}: ${faults.slice(0, 3).join('; ')}`)
  }
  expect(broken).toEqual([])
  expect(landed).toBeGreaterThan(SEEDS)
  const places = [
    'crash before append',
    'crash after append',
    'crash before workspaces.checkpoint',
    'crash after landing.advance',
  ]
  expect(places.filter((place) => struck[place] === undefined)).toEqual([])
})
