import { expect, test } from 'vitest'
import { type Cell, playCell } from './crash-matrix.ts'

// A few cells of the matrix; "npm run crash-matrix" plays them all.
test.each<Cell>([
  { scenario: 'work', after: 'attempt round-started', victim: 'engine and guard' },
  { scenario: 'work', after: 'attempt session-opened', victim: 'agent' },
  { scenario: 'work', after: 'attempt checkpoint-made', victim: 'both' },
  { scenario: 'work', after: 'run candidate-checked', victim: 'engine' },
  { scenario: 'asked', after: 'run reverted', victim: 'engine' },
  { scenario: 'diverged', after: 'run sync-requested', victim: 'engine' },
  { scenario: 'judged', after: 'attempt opinion-requested', victim: 'engine' },
])('$scenario: right after "$after" a kill -9 of $victim changes nothing in the end', async (cell) => {
  expect(await playCell(cell)).toEqual({ isStruck: true, faults: [] })
})
