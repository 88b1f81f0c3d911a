// Kills the engine, an agent, both, a tool's child, or engine and guard right after every kind of fact, one crash for
// each run of a scenario, and tells what was wrong afterwards. With arguments: only the cells that have all of them.
import { availableParallelism } from 'node:os'
import { allCells, type Cell, type Outcome, playCell } from './crash-matrix.ts'
import { EVERYBODY } from './crash-scenarios.ts'

const MINUTES_MAX = 60

const texts = process.argv.slice(2)
const cells = allCells().filter((cell) => texts.every((text) => nameOf(cell).includes(text)))
const outcomes = new Map<string, Outcome>()
const queue = cells.values()
const deadline = performance.now() + MINUTES_MAX * 60_000

console.log(`${cells.length} crashes, for at most ${MINUTES_MAX} minutes`)
await Promise.all(Array.from({ length: availableParallelism() + 1 }, playSome))
printTable()
console.log('\n"nobody": such a process was not there any more.')
const failed = cells.filter((cell) => !isPassed(cell))
console.log(`\n${cells.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length === 0 && cells.length > 0 ? 0 : 1

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
  console.log(`\n${''.padEnd(width)}  ${EVERYBODY.map((victim) => column(victim, victim)).join('  ')}`.trimEnd())
  for (const row of rows) {
    const marks = EVERYBODY.map((victim) => column(mark(`${row}, ${victim}`), victim))
    console.log(`${row.padEnd(width)}  ${marks.join('  ')}`.trimEnd())
  }
}

function column(text: string, victim: string): string {
  return text.padEnd(Math.max(victim.length, 'not run'.length))
}

function mark(name: string): string {
  const cell = cells.find((one) => nameOf(one) === name)
  const outcome = outcomes.get(name)
  if (cell === undefined) return ''
  if (outcome === undefined) return 'not run'
  if (!isPassed(cell)) return 'FAILED'
  return outcome.isStruck ? 'ok' : 'nobody'
}

/** An engine is always there to be killed, but for the moment in which it leaves. */
function isPassed(cell: Cell): boolean {
  const outcome = outcomes.get(nameOf(cell))
  if (outcome === undefined) return false
  const mustStrike = cell.victim.startsWith('engine') && !cell.after.endsWith('run-ended')
  return outcome.faults.length === 0 && (outcome.isStruck || !mustStrike)
}

function nameOf({ scenario, after, victim }: Cell): string {
  return `${scenario}: ${after}, ${victim}`
}
