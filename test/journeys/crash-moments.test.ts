import { expect, test } from 'vitest'
import type { Cell } from './crash-cell.ts'
import { playCell } from './crash-matrix.ts'
import { storageCells } from './storage-scenario.ts'

const DAY_MS = 86_400_000
const today = Math.floor(Date.now() / DAY_MS)

// A sample of the matrix; "npm run crash-matrix" runs all cells.
test.each<Cell>([
  { scenario: 'work', row: 'attempt round-started', column: 'engine and guard' },
  { scenario: 'work', row: 'attempt session-opened', column: 'agent' },
  { scenario: 'work', row: 'attempt checkpoint-made', column: 'both' },
  { scenario: 'work', row: 'run candidate-checked', column: 'engine' },
  { scenario: 'asked', row: 'run reverted', column: 'engine' },
  { scenario: 'diverged', row: 'run sync-requested', column: 'engine' },
  { scenario: 'judged', row: 'attempt opinion-requested', column: 'engine' },
])('$scenario: "$row", $column: the outcome is the same', async (cell) => {
  expect(await playCell(cell)).toEqual({ hasHappened: true, faults: [] })
})

// Fixed ones, and another each day.
test.each<Cell>([
  { scenario: 'storage', row: 'state moved', column: 'under an engine' },
  { scenario: 'storage', row: 'workspaces read-only', column: 'under an engine' },
  { scenario: 'storage', row: "repository's disk full", column: 'between engines' },
  ...storageCells().filter((_, index, all) => index === today % all.length),
])('$scenario: $row, $column: one engine at a time, and nothing is lost', async (cell) => {
  expect((await playCell(cell)).faults).toEqual([])
})
