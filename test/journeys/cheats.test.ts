import { describe, expect, test } from 'vitest'
import { allRows, faultsOf, nameOf, playRow } from '../cheats/cheat-matrix.ts'
import { PROJECTS } from '../cheats/projects.ts'
import { Random } from '../simulation/world/random.ts'

// Fixed seed, so that a failure repeats; "npm run cheat-matrix" plays all rows.
const SEED = 20_261_117
const CHEATS = 4
const HONEST_TASKS = 2

describe(`cheats are stopped and honest tasks land: seed ${SEED}`, () => {
  test.concurrent.each(sample(SEED).map((row) => ({ name: nameOf(row), row })))('$name', async ({ row }) => {
    expect(faultsOf({ row, played: await playRow(row) })).toEqual([])
  })
})

function sample(seed: number): ReturnType<typeof allRows> {
  const random = new Random(seed)
  const playable = allRows().filter(({ project }) => PROJECTS[project].tool === 'node')
  const [cheats, honest] = [playable.filter((row) => 'by' in row), playable.filter((row) => !('by' in row))]
  const draw = (rows: (typeof playable)[number][], count: number) =>
    Array.from({ length: count }, () => rows.splice(random.below(rows.length), 1)).flat()
  return [...draw([...cheats], CHEATS), ...draw([...honest], HONEST_TASKS)]
}
