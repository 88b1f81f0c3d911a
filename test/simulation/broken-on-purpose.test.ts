import { describe, expect, test } from 'vitest'
import { BREAKS } from './broken-on-purpose.ts'
import { checkSeed } from './check-seed.ts'

const SEEDS_MAX = 120

describe('checkers notice when', () => {
  test.each(BREAKS)('$name', async ({ noticedBy, breaks, fromSeed = 1 }) => {
    for (let seed = fromSeed; seed < fromSeed + SEEDS_MAX; seed += 1) {
      const { faults } = await checkSeed(seed, breaks)
      if (faults.some((fault) => fault.startsWith(`${noticedBy}: `))) return
    }
    expect.fail(`${noticedBy} noticed nothing in ${SEEDS_MAX} seeds`)
  })
})
