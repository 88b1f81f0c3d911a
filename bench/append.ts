import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { nextSum } from '../src/adapters/stores/checksum.ts'
import { openSqliteStore } from '../src/adapters/stores/sqlite/open-sqlite-store.ts'
import { SCHEMA } from '../src/adapters/stores/sqlite/schema.ts'
import type { LedgerId, RunId } from '../src/core/model/ids.ts'
import { isProblem } from '../src/core/model/problem.ts'
import type { AppendBatch, Store } from '../src/ports/store.ts'
import { ownMsOf } from './project.ts'
import { type BenchResult, median } from './result.ts'

const ROUNDS = 15
const APPENDS = 400
const RATIO_MIN = 0.7
const READ_EVENTS = 200_000
const READ_RATIO_MAX = 3

const LEDGER = 'attempt/task-0001-a1' as LedgerId
const RUN = 'r1' as RunId
const EVENT = {
  kind: 'usage-observed',
  usage: {
    session: '7c1f6a52-08c5-4c1c-9a55-6d7a1f0e4b11',
    message: 'msg_01AbCdEfGhIjKlMnOpQrStUv',
    model: 'scripted-1',
    tokens: { input: 1234, cacheRead: 55_555, cacheWrite: 222, output: 999 },
    window: 200_000,
  },
  usd: 0.1234,
  day: '2026-01-02',
}
const SUMMARY = { state: 'running', tasks: 100, done: 42, failed: 1, usd: 12.5, startedAt: 1_700_000_000_000 }

/** Compares appends with bare inserts of the same rows and durability, and reading all facts with verifying and parsing them. */
export async function benchAppend(): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-bench-'))
  try {
    const store = await openSqliteStore({ folder: join(folder, 'store') })
    if (isProblem(store)) throw new Error(store.message)
    const bare = openBare(join(folder, 'bare.db'))
    const appender = await openAppender(store)
    const results = [
      await compare(
        'append of one fact',
        (size) => bare.insert(size, false),
        (size) => appender.append(size, {}),
      ),
      await compare(
        'append of one fact with its summary row',
        (size) => bare.insert(size, true),
        (size) => appender.append(size, { summary: { run: RUN, row: SUMMARY } }),
      ),
      await readAll(store, appender),
    ]
    await store.close()
    bare.db.close()
    return results
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Doing = (count: number) => void | Promise<void>

// Alternates, so that a slow moment of the disk hits both.
async function compare(name: string, baseline: Doing, subject: Doing): Promise<BenchResult> {
  const rates: { baseline: number; value: number }[] = []
  await baseline(APPENDS)
  await subject(APPENDS)
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.push({ baseline: await rateOf(baseline), value: await rateOf(subject) })
  }
  const ratio = median(rates.map((rate) => rate.value / rate.baseline))
  return {
    name,
    value: median(rates.map(({ value }) => value)),
    baseline: median(rates.map((rate) => rate.baseline)),
    ratio,
    bound: `≥ ${RATIO_MIN} × bare inserts`,
    ok: ratio >= RATIO_MIN,
    note: 'appends per second',
  }
}

async function rateOf(work: Doing): Promise<number> {
  return APPENDS / ((await msOf(() => work(APPENDS))) / 1000)
}

async function msOf(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

interface Appender {
  append(count: number, more: Partial<AppendBatch>, events?: AppendBatch['events']): Promise<void>
}

async function openAppender(store: Store): Promise<Appender> {
  const { epoch } = await store.claim(LEDGER)
  let after = 0
  return {
    async append(count, more, events = [EVENT]) {
      for (let appended = 0; appended < count; appended += 1) {
        const result = await store.append({ ledger: LEDGER, epoch, after, at: 1_700_000_000_000, events, ...more })
        if (result.kind === 'conflict') throw new Error(result.reason)
        after = result.seq
      }
    },
  }
}

function openBare(file: string) {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  db.exec(SCHEMA)
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const addEvent = db.prepare('INSERT INTO events (ledger, seq, at, version, sum, body) VALUES (?, ?, ?, ?, 0, ?)')
  const putRun = db.prepare('INSERT OR REPLACE INTO runs (run, sum, body) VALUES (?, 0, ?)')
  const [body, row] = [JSON.stringify(EVENT), JSON.stringify(SUMMARY)]
  let seq = 0
  const insert = (count: number, withSummary: boolean) => {
    for (let inserted = 0; inserted < count; inserted += 1) {
      seq += 1
      begin.run()
      addEvent.run(LEDGER, seq, 1_700_000_000_000, 1, body)
      if (withSummary) putRun.run(RUN, row)
      commit.run()
    }
  }
  return { db, insert }
}

async function readAll(store: Store, appender: Appender): Promise<BenchResult> {
  const missing = READ_EVENTS - (await countOf(store))
  await appender.append(
    1,
    {},
    Array.from({ length: missing }, () => EVENT),
  )
  const body = JSON.stringify(EVENT)
  const baseline = await ownMsOf(async () => {
    for (let seq = 1, sum = 0; seq <= READ_EVENTS; seq += 1) {
      sum = nextSum(sum, { ledger: LEDGER, seq, position: seq, at: 1_700_000_000_000, version: 1, body })
      JSON.parse(body)
    }
  })
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) times.push(await ownMsOf(() => countOf(store)))
  const value = Math.min(...times)
  return {
    name: `read of ${READ_EVENTS} facts`,
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${READ_RATIO_MAX} × verifying and parsing`,
    ok: value / baseline <= READ_RATIO_MAX,
    note: 'ms without other processes, best of five; baseline: checksums and parsing alone',
  }
}

async function countOf(store: Store): Promise<number> {
  let count = 0
  for await (const chunk of store.read(LEDGER, 0)) count += chunk.length
  return count
}
