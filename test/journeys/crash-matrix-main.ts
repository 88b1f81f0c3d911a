// Kills the engine, an agent, both, a tool's child, or engine and guard right after every kind of fact, one crash for
// each run of a scenario, and tells what was wrong afterwards. With words: only the cells that have all of them.
// --part 2/4: the second of four parts, for as many machines or sittings; --minutes 30: what is left then is not run.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { allCells, type Cell, type Outcome, playCell } from './crash-matrix.ts'
import { EVERYBODY } from './crash-scenarios.ts'

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
console.log('\n"nobody": such a process was not there any more.')
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
