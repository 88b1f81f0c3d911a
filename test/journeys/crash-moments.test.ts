import { expect, test } from 'vitest'
import { type Cell, playCell } from './crash-matrix.ts'

// A sample of the matrix; "npm run crash-matrix" runs all cells.
test.each<Cell>([
  { scenario: 'work', after: 'attempt round-started', victim: 'engine and guard' },
  { scenario: 'work', after: 'attempt session-opened', victim: 'agent' },
  { scenario: 'work', after: 'attempt checkpoint-made', victim: 'both' },
  { scenario: 'work', after: 'run candidate-checked', victim: 'engine' },
  { scenario: 'asked', after: 'run reverted', victim: 'engine' },
  { scenario: 'diverged', after: 'run sync-requested', victim: 'engine' },
  { scenario: 'judged', after: 'attempt opinion-requested', victim: 'engine' },
])('$scenario: kill -9 of $victim right after "$after" does not change the outcome', async (cell) => {
  expect(await playCell(cell)).toEqual({ wasKilled: true, faults: [] })
})
