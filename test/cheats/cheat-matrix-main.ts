// Plays every cheat and every honest task with the real command line, and reports what landed and what was asked. Words
// select the rows whose names contain all of them; --part 2/4 plays the second of four parts; --write puts the table of
// all rows into the guide.
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { allRows, faultsOf, nameOf, type Outcome, playRow, tableOf } from './cheat-matrix.ts'

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { part: { type: 'string', default: '1/1' }, write: { type: 'boolean', default: false } },
})
const [part = 1, parts = 1] = values.part.split('/').map(Number)
const rows = allRows()
  .filter((row) => words.every((word) => nameOf(row).includes(word)))
  .filter((_, index) => index % parts === part - 1)
const outcomes: Outcome[] = []
const queue = rows.values()
const LAST_LINE = '`--write` renews this table.'
const startedAt = performance.now()

console.log(`${rows.length} rows`)
await Promise.all(Array.from({ length: availableParallelism() + 1 }, playSome))
const table = tableOf(rows.flatMap((row) => outcomes.filter((outcome) => outcome.row === row)))
console.log(`\n${table}`)
if (values.write) writeTable()
const failed = outcomes.filter((outcome) => faultsOf(outcome).length > 0).length
const notRun = outcomes.filter(({ played }) => !played.isPlayed).length
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
console.log(`\n${rows.length - failed - notRun} passed, ${failed} failed, ${notRun} not run, in ${minutes} minutes`)
process.exitCode = failed === 0 && rows.length > notRun ? 0 : 1

async function playSome(): Promise<void> {
  for (const row of queue) {
    const outcome = { row, played: await playRow(row) }
    outcomes.push(outcome)
    const faults = faultsOf(outcome)
    console.log([`${faults.length === 0 ? 'ok' : 'FAILED'} ${nameOf(row)}`, ...faults].join('\n  '))
  }
}

function writeTable(): void {
  const guide = 'docs/guides/checks.md'
  const text = readFileSync(guide, 'utf8')
  const end = text.lastIndexOf(LAST_LINE) + LAST_LINE.length
  writeFileSync(guide, `${text.slice(0, end)}\n\n${table}\n`)
}
