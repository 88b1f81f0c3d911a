import { join } from 'node:path'
import { openSqliteStore } from '../src/adapters/stores/sqlite/open-sqlite-store.ts'
import { type LoadedSettings, loadSettings } from '../src/config/load.ts'
import type { AttemptEvent } from '../src/core/model/attempt-event.ts'
import { type AttemptId, attemptLedger, type SessionId } from '../src/core/model/ids.ts'
import type { Store } from '../src/ports/store.ts'
import { makeBacklog } from './backlog.ts'
import { LedgerWriter } from './ledger-writer.ts'
import { makeProject, timeBareNode, timeCli } from './project.ts'
import { good } from './real-adapters.ts'
import { type BenchResult, spread } from './result.ts'
import { playRun } from './synthetic-run.ts'

const EVENTS = 50_000
const ROUNDS = 500
const TASKS = 100
const TRIES = 5
const MS_MAX = 1_000

const SETTINGS = `agent: { driver: scripted, script: script.yaml }
gates: [ { name: tests, run: "true" } ]
`

/** Measures `longhaul show` for a task with fifty thousand facts. */
export async function benchShow(): Promise<BenchResult[]> {
  const { settings } = loadSettings({ file: null, text: SETTINGS }) as LoadedSettings
  const writer = new LedgerWriter()
  const state = playRun(makeBacklog(TASKS, 'wide'), settings, writer, TASKS / 2)
  const attempt = [...state.attempts.keys()][0] as AttemptId
  const project = makeProject({ 'longhaul.yaml': SETTINGS })
  const [shown, bare]: [number[], number[]] = [[], []]
  try {
    const store = good(await openSqliteStore({ folder: join(project.repository, '.git', 'longhaul') }))
    await writer.write(store, state)
    await lengthen(store, attempt)
    await store.close()
    for (let round = 0; round < TRIES; round += 1) {
      bare.push(await timeBareNode())
      shown.push((await timeCli(project, ['show', attempt.replace(/-a\d+$/, '')])).ownMs)
    }
  } finally {
    project.remove()
  }
  const [value, baseline] = [Math.min(...shown), Math.min(...bare)]
  return [
    {
      name: `show of a task with ${EVENTS} events`,
      value,
      baseline,
      ratio: value / baseline,
      bound: `≤ ${MS_MAX} ms`,
      ok: value <= MS_MAX,
      note: `ms without other processes, best of ${TRIES} (${spread(shown)}), ${ROUNDS} rounds; baseline: bare node`,
    },
  ]
}

/** Appends rounds with many turns each, as a long attempt has them. */
async function lengthen(store: Store, attempt: AttemptId): Promise<void> {
  const ledger = attemptLedger(attempt)
  let { epoch, seq: after } = await store.claim(ledger)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const events = roundFacts(round, EVENTS / ROUNDS)
    const appended = await store.append({ ledger, epoch, after, at: 1_767_300_000_000 + round * 60_000, events })
    if (appended.kind === 'conflict') throw new Error(appended.reason)
    after = appended.seq
  }
}

function roundFacts(round: number, count: number): readonly AttemptEvent[] {
  const session = '7c1f6a52-08c5-4c1c-9a55-000000000000' as SessionId
  const tokens = { input: 1234, cacheRead: 55_555, cacheWrite: 222, output: 999 }
  const usage = (turn: number): AttemptEvent => ({
    kind: 'usage-observed',
    usage: {
      session,
      message: `m${round}-${turn}`,
      model: 'scripted',
      scope: 'main',
      hourCacheWrite: 0,
      tokens,
      window: 200_000,
    },
    usd: 0.0123,
    day: '2026-01-01',
  })
  const end = { kind: 'ok' as const, detail: 'More is to be done.', claim: { kind: 'continue' as const } }
  const sum = count * round
  const totals = { usd: 0.0123 * sum, turns: sum, tokens, usdByDay: {} }
  return [
    {
      kind: 'round-started',
      round,
      phase: 'implement',
      phaseRound: round,
      session,
      cause: { kind: 'continue', why: 'more is to be done' },
      turnsMax: 150,
      deadlineAt: 0,
    },
    ...Array.from({ length: count - 2 }, (_, turn) => usage(turn)),
    {
      kind: 'round-ended',
      round,
      end: { ...end, resetAt: null, note: null },
      activeMs: 1000,
      usd: 0.0123 * count,
      totals,
    },
  ]
}
