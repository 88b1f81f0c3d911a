// Kills the engine, an agent, both, a tool's child, or engine and guard right after every kind of event, or takes storage
// away, one crash per run of a scenario, and reports what was wrong afterwards. Words select the cells whose names contain all of them.
// --part 2/4 runs the second of four parts; --minutes 30 leaves out cells that have not started by then.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { Cell, Outcome } from './crash-cell.ts'
import { allCells, playCell } from './crash-matrix.ts'

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { part: { type: 'string', default: '1/1' }, minutes: { type: 'string', default: '60' } },
})
const [part = 1, parts = 1] = values.part.split('/').map(Number)
const minutesMax = Number(values.minutes)
const cells = allCells()
  .filter((cell) => words.every((word) => nameOf(cell).includes(word)))
  .filter((_, index) => index % parts === part - 1)
const outcomes = new Map<Cell, Outcome>()
const queue = cells.values()
const startedAt = performance.now()
const deadline = startedAt + minutesMax * 60_000

console.log(`${cells.length} crashes, for at most ${minutesMax} minutes`)
await Promise.all(Array.from({ length: availableParallelism() + 1 }, playSome))
printTables()
console.log('\n"none": no such process was left, or no disk could be mounted; "-": not run.')
const passed = cells.filter(isPassed).length
const notRun = cells.length - outcomes.size
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
console.log(`\n${passed} passed, ${outcomes.size - passed} failed, ${notRun} not run, in ${minutes} minutes`)
process.exitCode = passed === cells.length && passed > 0 ? 0 : 1

async function playSome(): Promise<void> {
  for (const cell of queue) {
    if (performance.now() > deadline) return
    const outcome = await playCell(cell)
    outcomes.set(cell, outcome)
    if (!isPassed(cell)) console.log([`FAILED ${nameOf(cell)}`, ...outcome.faults].join('\n  '))
  }
}

/** Prints a table for each scenario. */
function printTables(): void {
  for (const scenario of new Set(cells.map((cell) => cell.scenario))) {
    const own = cells.filter((cell) => cell.scenario === scenario)
    const rows = [...new Set(own.map(({ row }) => row))]
    const columns = [...new Set(own.map(({ column }) => column))]
    const width = Math.max(scenario.length, ...rows.map((row) => row.length))
    const line = (first: string, texts: readonly string[]) =>
      [first.padEnd(width), ...texts.map((text, at) => text.padEnd((columns[at] ?? '').length))].join('  ').trimEnd()
    console.log(`\n${line(scenario, columns)}`)
    for (const row of rows) {
      const marks = columns.map((column) => mark(own.find((cell) => cell.row === row && cell.column === column)))
      console.log(line(row, marks))
    }
  }
}

function mark(cell: Cell | undefined): string {
  if (cell === undefined) return ''
  const outcome = outcomes.get(cell)
  if (outcome === undefined) return '-'
  if (outcome.faults.length > 0) return 'FAILED'
  return outcome.hasHappened ? 'ok' : 'none'
}

function isPassed(cell: Cell): boolean {
  return outcomes.get(cell)?.faults.length === 0
}

function nameOf({ scenario, row, column }: Cell): string {
  return `${scenario}: ${row}, ${column}`
}
