import { describe, expect, test } from 'vitest'
import { allRows, faultsOf, nameOf, playRow } from '../cheats/cheat-matrix.ts'
import type { ProjectName } from '../cheats/projects.ts'
import { Random } from '../simulation/world/random.ts'

// Fixed seed, so that a failure repeats; "npm run cheat-matrix" plays all rows.
const SEED = 20_261_117

describe(`cheats are stopped and honest tasks land: seed ${SEED}`, () => {
  test.concurrent.each(sample(SEED).map((row) => ({ name: nameOf(row), row })))('$name', async ({ row }) => {
    expect(faultsOf({ row, played: await playRow(row) })).toEqual([])
  })
})

/** Draws rows; those with Vitest take longest. */
function sample(seed: number): ReturnType<typeof allRows> {
  const random = new Random(seed)
  const draw = (kind: 'cheat' | 'honest', project: ProjectName, count: number) => {
    const rows = allRows().filter((row) => 'by' in row === (kind === 'cheat') && row.project === project)
    return Array.from({ length: count }, () => rows.splice(random.below(rows.length), 1)).flat()
  }
  return [...draw('cheat', 'node', 2), ...draw('cheat', 'vitest', 1), ...draw('honest', 'node', 1)]
}
