import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandGate } from '../src/adapters/gates/command.ts'
import { noSandbox } from '../src/adapters/sandboxes/no-sandbox.ts'
import { openSqliteStore } from '../src/adapters/stores/sqlite/open-sqlite-store.ts'
import type { Commit, LedgerId, Tree } from '../src/core/model/ids.ts'
import { isProblem } from '../src/core/model/problem.ts'
import { ReceiptCache } from '../src/engine/receipt-cache.ts'
import { runChecks } from '../src/engine/run-checks.ts'
import { probeContainment } from '../src/process/start/probe-containment.ts'
import { testEnvironment } from '../test/environment.ts'
import { type BenchResult, median, spread } from './result.ts'

const TIMES = 20
const RATIO_MAX = 0.1
const CHECK = {
  name: 'tests',
  run: 'sleep 0.2',
  onFail: 'block' as const,
  timeoutMs: 10_000,
  coverage: null,
  canary: null,
}

/** Measures a second verification of the same files, whose receipts are known. */
export async function benchReceipts(): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-bench-'))
  try {
    return [await measure(folder)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(folder: string): Promise<BenchResult> {
  const environment = testEnvironment(folder)
  const containment = await probeContainment({ env: environment })
  const store = await openSqliteStore({ folder: join(folder, 'state') })
  if (containment.kind === 'not-started') throw new Error(containment.message)
  if (isProblem(store)) throw new Error(store.message)
  const gate = commandGate({
    sandbox: noSandbox(containment, 'it is not measured here'),
    environment,
    pidFolder: () => folder,
  })
  const clock = { now: () => Date.now() } as ConstructorParameters<typeof ReceiptCache>[0]['clock']
  const place = { folder, place: 'checkout' as const, setup: [], env: {}, commit: 'c' as Commit, tree: 't' as Tree }
  const verify = async () => {
    const startedAt = performance.now()
    const options = {
      gate,
      receiptCache: new ReceiptCache({ store, gate, clock }),
      work: null,
      runOnBase: null,
      reserveOutputFile: null,
    }
    const { verdict } = await runChecks(options, [CHECK], place, new AbortController().signal)
    return { ms: performance.now() - startedAt, receipts: verdict.receipts }
  }
  const first = await verify()
  const ledger = 'run/r1' as LedgerId
  const { epoch } = await store.claim(ledger)
  const { receipts } = first
  await store.append({ ledger, epoch, after: 0, at: Date.now(), events: [{ kind: 'run-paused' }], receipts })
  const times: number[] = []
  for (let time = 0; time < TIMES; time += 1) times.push((await verify()).ms)
  await store.close()
  if (containment.kind === 'guard') await containment.guard.end()
  const value = median(times)
  return {
    name: 'a second verify of the same tree',
    value,
    baseline: first.ms,
    ratio: value / first.ms,
    bound: `≤ ${RATIO_MAX} × the first verify`,
    ok: value / first.ms <= RATIO_MAX,
    note: `ms, median of ${TIMES} (${spread(times, 2)}), receipts from the store; baseline: the first, with a check of 200 ms`,
  }
}
