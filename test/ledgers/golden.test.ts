import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type StoredEvent, upcast } from '../../src/adapters/stores/upcast.ts'
import { evolveAttempt } from '../../src/core/attempt/evolve.ts'
import { newAttempt } from '../../src/core/attempt/state.ts'
import type { AttemptEvent } from '../../src/core/model/attempt-event.ts'
import type { RunEvent } from '../../src/core/model/run-event.ts'
import { evolveRun } from '../../src/core/run/evolve.ts'
import { newRun } from '../../src/core/run/state.ts'
import { runSummary } from '../../src/core/views/run-summary.ts'

type Line = StoredEvent & { readonly seq: number; readonly at: number }

const releases = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.jsonl'))

function linesOf(release: string): readonly Line[] {
  const text = readFileSync(join(import.meta.dirname, release), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

test.each(releases)('the ledgers of %s still fold to what they said then', (release) => {
  const run = newRun()
  const attempts = new Map<string, ReturnType<typeof newAttempt>>()
  for (const line of linesOf(release)) {
    const event = upcast(line)
    if (line.ledger.startsWith('run/')) evolveRun(run, event as RunEvent, line.at)
    else {
      const state = attempts.get(line.ledger) ?? newAttempt()
      attempts.set(line.ledger, state)
      evolveAttempt(state, event as AttemptEvent, line.at)
    }
  }
  const ends = [...attempts].map(([ledger, { doing, totals }]) => `${ledger}: ${doing.kind}, ${totals.turns} turns`)
  const said: unknown = JSON.parse(readFileSync(join(import.meta.dirname, release.replace('.jsonl', '.json')), 'utf8'))
  expect({ summary: runSummary(run), ends: ends.sort() }).toMatchObject(said as object)
})
