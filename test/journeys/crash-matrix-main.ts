// Kills the engine, an agent, both, a tool's child, or engine and guard right after every kind of event, one crash per
// run of a scenario, and reports what was wrong afterwards. Words select the cells whose names contain all of them.
// --part 2/4 runs the second of four parts; --minutes 30 leaves out cells that have not started by then.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { allCells, type Cell, type Outcome, playCell } from './crash-matrix.ts'
import { ALL_VICTIMS } from './crash-scenarios.ts'

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { part: { type: 'string', default: '1/1' }, minutes: { type: 'string', default: '60' } },
})
const [part = 1, parts = 1] = values.part.split('/').map(Number)
const minutesMax = Number(values.minutes)
const cells = allCells()
  .filter((cell) => words.every((word) => nameOf(cell).includes(word)))
  .filter((_, index) => index % parts === part - 1)
const outcomes = new Map<string, Outcome>()
const queue = cells.values()
const startedAt = performance.now()
const deadline = startedAt + minutesMax * 60_000

console.log(`${cells.length} crashes, for at most ${minutesMax} minutes`)
await Promise.all(Array.from({ length: availableParallelism() + 1 }, playSome))
printTable()
console.log('\n"none": no such process was left.')
const passed = cells.filter(isPassed).length
const notRun = cells.length - outcomes.size
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
console.log(`\n${passed} passed, ${outcomes.size - passed} failed, ${notRun} not run, in ${minutes} minutes`)
process.exitCode = passed === cells.length && passed > 0 ? 0 : 1

async function playSome(): Promise<void> {
  for (const cell of queue) {
    if (performance.now() > deadline) return
    const outcome = await playCell(cell)
    outcomes.set(nameOf(cell), outcome)
    if (!isPassed(cell)) console.log([`FAILED ${nameOf(cell)}`, ...outcome.faults].join('\n  '))
  }
}

function printTable(): void {
  const rows = [...new Set(cells.map(({ scenario, after }) => `${scenario}: ${after}`))]
  const width = Math.max(0, ...rows.map((row) => row.length))
  console.log(`\n${''.padEnd(width)}  ${ALL_VICTIMS.map((victim) => column(victim, victim)).join('  ')}`.trimEnd())
  for (const row of rows) {
    const marks = ALL_VICTIMS.map((victim) => column(mark(`${row}, ${victim}`), victim))
    console.log(`${row.padEnd(width)}  ${marks.join('  ')}`.trimEnd())
  }
}

function column(text: string, victim: string): string {
  return text.padEnd(Math.max(victim.length, 'not run'.length))
}

function mark(name: string): string {
  const cell = cells.find((candidate) => nameOf(candidate) === name)
  const outcome = outcomes.get(name)
  if (cell === undefined) return ''
  if (outcome === undefined) return 'not run'
  if (!isPassed(cell)) return 'FAILED'
  return outcome.wasKilled ? 'ok' : 'none'
}

/** True for a cell without faults. An engine can always be killed, except at the moment when it ends by itself. */
function isPassed(cell: Cell): boolean {
  const outcome = outcomes.get(nameOf(cell))
  if (outcome === undefined) return false
  const mustKill = cell.victim.startsWith('engine') && !cell.after.endsWith('run-ended')
  return outcome.faults.length === 0 && (outcome.wasKilled || !mustKill)
}

function nameOf({ scenario, after, victim }: Cell): string {
  return `${scenario}: ${after}, ${victim}`
}
