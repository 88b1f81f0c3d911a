import { fileURLToPath } from 'node:url'
import { benchAgents } from './agents.ts'
import { benchAppend } from './append.ts'
import { benchBigRun } from './big-run.ts'
import { HOLD, holdRun } from './hold-run.ts'
import { benchLive } from './live.ts'
import { timeNode } from './project.ts'
import { benchProof } from './proof.ts'
import { benchReceipts } from './receipts.ts'
import { benchRestart } from './restart.ts'
import type { BenchResult } from './result.ts'
import { benchRounds } from './rounds.ts'
import { benchSandbox } from './sandbox.ts'
import { benchShow } from './show.ts'
import { benchSixty } from './sixty.ts'
import { benchSlot } from './slot.ts'
import { benchStartup } from './startup.ts'
import { benchTestOutput } from './test-output.ts'
import { benchWindows } from './windows.ts'

// Each bench has its own process: the more memory a process has, the longer it takes to start others.
const ALONE = 'alone'

const BENCHES: Readonly<Record<string, () => Promise<BenchResult[]>>> = {
  startup: benchStartup,
  restart: benchRestart,
  append: benchAppend,
  'big-run': benchBigRun,
  show: benchShow,
  slot: benchSlot,
  rounds: benchRounds,
  live: benchLive,
  'test-output': benchTestOutput,
  receipts: benchReceipts,
  proof: benchProof,
  sandbox: benchSandbox,
  sixty: benchSixty,
  agents: benchAgents,
  windows: benchWindows,
}

const [first = '', second = ''] = process.argv.slice(2)
if (first === HOLD) console.log(JSON.stringify(await holdRun(second)))
else if (first === ALONE) console.log(JSON.stringify(await BENCHES[second]?.()))
else process.exitCode = await runBenches(process.argv.slice(2))

/** Runs the named benches, or all; returns exit code 1 when a bound is missed. */
async function runBenches(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => BENCHES[name] === undefined)
  if (unknown.length > 0) {
    console.error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.`)
    return 2
  }
  const results: BenchResult[] = []
  for (const name of Object.keys(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue
    const { ms, stdout } = await timeNode([fileURLToPath(import.meta.url), ALONE, name], process.cwd(), {})
    results.push(...(JSON.parse(stdout) as BenchResult[]))
    console.error(`${name} took ${(ms / 1000).toFixed(0)} s`)
  }
  console.log(table(results))
  return results.every(({ ok }) => ok) ? 0 : 1
}

function table(results: readonly BenchResult[]): string {
  const rows = results.map((result) => [
    result.ok ? 'ok' : 'MISSED',
    result.name,
    shown(result.value),
    shown(result.baseline),
    shown(result.ratio),
    result.bound,
    result.note ?? '',
  ])
  const all = [['', 'what', 'value', 'baseline', 'ratio', 'bound', 'note'], ...rows]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? []
  const isNumber = (column: number) => column >= 2 && column <= 4
  const cell = (text: string, column: number) =>
    isNumber(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)
  return all.map((row) => row.map(cell).join('  ').trimEnd()).join('\n')
}

function shown(number: number): string {
  if (number >= 100) return number.toFixed(0)
  return number.toFixed(number >= 10 ? 1 : 3)
}
