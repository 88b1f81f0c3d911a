import type { StoredRow } from '../../src/adapters/stores/ledger-chain.ts'
import { type StoredEvent, upcast } from '../../src/adapters/stores/upcast.ts'
import { evolveAttempt } from '../../src/core/attempt/evolve.ts'
import { type AttemptState, newAttempt } from '../../src/core/attempt/state.ts'
import type { AttemptEvent } from '../../src/core/model/attempt-event.ts'
import type { RunEvent } from '../../src/core/model/run-event.ts'
import { evolveRun } from '../../src/core/run/evolve.ts'
import { newRun, type RunState } from '../../src/core/run/state.ts'
import { runSummary } from '../../src/core/views/run-summary.ts'

/** Line of a golden ledger. */
export type LedgerLine = StoredEvent & Pick<StoredRow, 'seq' | 'position' | 'at' | 'sum'>

/** Parses the lines of a golden ledger. */
export function ledgerLines(text: string): readonly LedgerLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LedgerLine)
}

/** Folds the ledgers of one run to a description of where it ended. */
export function foldLedgers(lines: readonly LedgerLine[]) {
  const run = newRun()
  const attempts = new Map<string, AttemptState>()
  for (const line of lines) {
    const event = upcast(line)
    if (line.ledger.startsWith('run/')) evolveRun(run, event as RunEvent, line.at)
    else {
      const state = attempts.get(line.ledger) ?? newAttempt()
      attempts.set(line.ledger, state)
      evolveAttempt(state, event as AttemptEvent, line.at)
    }
  }
  return describeRun(run, attempts)
}

/** Describes a run and its attempts: the parts that a change of `evolve` must not change. */
export function describeRun(run: RunState, attempts: ReadonlyMap<string, AttemptState>) {
  return {
    summary: runSummary(run),
    tasks: [...run.tasks].map(([id, { standing }]) => `${id}: ${standing}`),
    attempts: [...attempts]
      .map(([ledger, { doing, phase, sessions, totals }]) => {
        return `${ledger}: ${doing.kind} in ${phase}, ${sessions.length} sessions, ${totals.turns} turns`
      })
      .sort(),
  }
}
