import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttemptState } from '../../src/core/attempt/state.ts'
import { attemptLedger } from '../../src/core/model/ids.ts'
import { packageFile } from '../../src/package/package-file.ts'
import { type Playthrough, play } from '../simulation/world/play.ts'
import { describeRun } from './fold-ledgers.ts'

// Together these seeds have nearly every kind of fact in about 700 lines.
const SEEDS = [8, 174, 255]

const folder = packageFile('test/ledgers')
const old = readdirSync(folder).filter((name) => /^seed-\d+\.jsonl?$/.test(name))
for (const name of old) rmSync(join(folder, name))
for (const seed of SEEDS) {
  const playthrough = await play(seed)
  writeFileSync(join(folder, `seed-${seed}.jsonl`), linesOf(playthrough))
  writeFileSync(join(folder, `seed-${seed}.json`), `${JSON.stringify(describeLive(playthrough), null, 2)}\n`)
}
console.log(`Recorded the ledgers of seeds ${SEEDS.join(', ')}.`)

function linesOf({ world }: Playthrough): string {
  const lines = world.storage.facts.events.map(({ ledger, seq, position, at, version, sum, body }) =>
    JSON.stringify({ ledger, seq, position, at, version, sum, body: JSON.parse(body) as unknown }),
  )
  return `${lines.join('\n')}\n`
}

/** Describes the run as the engines had it in memory when they ended. */
function describeLive({ world }: Playthrough) {
  const lives = [...world.live.values()]
  const run = lives.findLast((life) => life.run !== null)?.run
  if (run === null || run === undefined) throw new Error('no engine has driven the run')
  const attempts = new Map<string, AttemptState>()
  for (const life of lives) for (const [id, state] of life.attempts) attempts.set(attemptLedger(id), state)
  return describeRun(run, attempts)
}
