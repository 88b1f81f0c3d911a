// Kills the engine, an agent, both, a tool's child, or engine and guard right after every kind of fact, one crash for
// each run of a scenario, and tells what was wrong afterwards. With arguments: only the cells that have all of them.
import { availableParallelism } from 'node:os'
import { allCells, type Cell, playCell, VICTIMS } from './crash-matrix.ts'

const MINUTES_MAX = 20

const texts = process.argv.slice(2)
const cells = allCells().filter((cell) => texts.every((text) => nameOf(cell).includes(text)))
const faults = new Map<string, readonly string[]>()
const queue = cells.values()
const deadline = performance.now() + MINUTES_MAX * 60_000

console.log(`${cells.length} crashes, for at most ${MINUTES_MAX} minutes`)
await Promise.all(Array.from({ length: availableParallelism() + 1 }, playSome))
printTable()
const failed = cells.filter((cell) => !isPassed(cell))
console.log(`\n${cells.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length === 0 && cells.length > 0 ? 0 : 1

async function playSome(): Promise<void> {
  for (const cell of queue) {
    if (performance.now() > deadline) return
    const found = await playCell(cell)
    faults.set(nameOf(cell), found)
    if (found.length > 0) console.log(`FAILED ${nameOf(cell)}\n${found.map((line) => `  ${line}`).join('\n')}`)
  }
}

function printTable(): void {
  const rows = [...new Set(cells.map(({ scenario, after }) => `${scenario}: ${after}`))]
  const width = Math.max(0, ...rows.map((row) => row.length))
  console.log(`\n${''.padEnd(width)}  ${VICTIMS.join('  ')}`)
  for (const row of rows) {
    const marks = VICTIMS.map((victim) => mark(`${row}, ${victim}`).padEnd(victim.length))
    console.log(`${row.padEnd(width)}  ${marks.join('  ')}`.trimEnd())
  }
}

function mark(name: string): string {
  if (!cells.some((cell) => nameOf(cell) === name)) return ''
  const found = faults.get(name)
  if (found === undefined) return 'not run'
  return found.length === 0 ? 'ok' : 'FAILED'
}

function isPassed(cell: Cell): boolean {
  return faults.get(nameOf(cell))?.length === 0
}

function nameOf({ scenario, after, victim }: Cell): string {
  return `${scenario}: ${after}, ${victim}`
}
