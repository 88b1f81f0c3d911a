import { cliFile, timeBareNode, timeNode } from './project.ts'
import { type BenchResult, median, spread } from './result.ts'

const ROUNDS = 15
const RATIO_MAX = 4

/** Compares `longhaul --help` with a Node process that does nothing. */
export async function benchStartup(): Promise<BenchResult[]> {
  const help: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await timeBareNode())
    help.push((await timeNode([cliFile, '--help'], '/', {})).ownMs)
  }
  const [value, baseline] = [median(help), median(bare)]
  return [
    {
      name: 'longhaul --help',
      value,
      baseline,
      ratio: value / baseline,
      bound: `≤ ${RATIO_MAX} × bare node`,
      ok: value / baseline <= RATIO_MAX,
      note: `ms without other processes, median of ${ROUNDS} (${spread(help)}; node -e 0: ${spread(bare)})`,
    },
  ]
}
