import { parseArgs } from 'node:util'
import { checkSeed } from './check-seed.ts'

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, from: { type: 'string', default: '1' } },
})
const from = Number(values.from)
const count = Number(values.seeds)
let broken = 0
let steps = 0
for (let seed = from; seed < from + count; seed += 1) {
  const { faults, playthrough } = await checkSeed(seed)
  steps += playthrough.steps
  if (faults.length === 0) continue
  broken += 1
  console.log(`seed ${seed}:\n  ${faults.slice(0, 5).join('\n  ')}`)
}
console.log(`${count} seeds from ${from}, ${steps} steps, ${broken} broken`)
process.exitCode = broken === 0 ? 0 : 1
