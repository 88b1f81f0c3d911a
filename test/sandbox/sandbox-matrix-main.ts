// Runs a hostile program as agent, check, setup command and hook at each level of the sandbox, and reports what it reached.
// Words select levels; --write puts the table into the guide.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { LEVELS, PURPOSES, playLevel } from './play-level.ts'
import { faultsOf, type Matrix, tableOf } from './sandbox-matrix.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, verbose: { type: 'boolean', default: false } },
})
const levels = LEVELS.filter((level) => positionals.length === 0 || positionals.includes(level))
const matrix: Matrix = new Map()
for (const level of levels) matrix.set(level, await playLevel(level, PURPOSES))

const table = tableOf(matrix)
console.log(table)
if (values.verbose) {
  for (const [level, { tried, traces }] of matrix) {
    for (const [purpose, all] of tried) for (const one of all) console.log(level, purpose, JSON.stringify(one))
    console.log(level, traces)
  }
}
if (values.write) writeTable()
const faults = faultsOf(matrix)
console.log(['', ...faults, `${faults.length} faults`].join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1

function writeTable(): void {
  const guide = 'docs/guides/sandbox.md'
  const [before = '', after = ''] = readFileSync(guide, 'utf8').split(
    /(?<=`--write` renews this table\.\n\n)(?:\|.*\n)*/,
  )
  writeFileSync(guide, `${before}${table}\n${after}`)
}
