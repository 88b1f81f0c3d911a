import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AttemptEvent } from '../src/core/model/attempt-event.ts'
import { RunEngine } from '../src/engine/run-engine.ts'
import { stateMachines } from '../src/engine/state-machines.ts'
import type { Store } from '../src/ports/store.ts'
import { ownMsOf, type Project, timeNode } from './project.ts'
import { openAdapters } from './real-adapters.ts'
import { SYNTHETIC_RUN } from './synthetic-run.ts'

/** Measurements of a process that holds a run. */
export interface Held {
  /** Memory before the ledger was opened, with all adapters loaded. */
  readonly bareMb: number
  readonly residentMb: number
  readonly peakMb: number
  /** Time to fold the run's ledger, as an engine does at its start. */
  readonly runMs: number
  /** Time to fold the ledgers of all its attempts. */
  readonly attemptsMs: number
  /** Time to read and parse all of them without folding. */
  readonly readMs: number
}

/** Argument with which this program holds a run. */
export const HOLD = 'hold-run'

/** Measures a fresh process that opens the engine of a project's run. */
export async function holdInChild({ repository, env }: Project): Promise<Held> {
  const main = fileURLToPath(new URL(import.meta.url.replace(/hold-run(\.\w+)$/, 'main$1')))
  return JSON.parse((await timeNode([main, HOLD, repository], repository, env)).stdout) as Held
}

/** Opens the engine on a repository's run in this process and measures it. */
export async function holdRun(repository: string): Promise<Held> {
  const { tools, store, close } = await openAdapters(repository, process.env)
  const bareMb = memory('VmRSS')
  const engine = new RunEngine({ ports: { ...tools, store }, run: SYNTHETIC_RUN, pid: process.pid, noWait: true })
  const runMs = await ownMsOf(() => engine.open())
  const [residentMb, peakMb] = [memory('VmRSS'), memory('VmHWM')]
  const attemptsMs = await ownMsOf(() => foldAttempts(store))
  const readMs = await ownMsOf(() => readEverything(store))
  await engine.close()
  await close()
  return { bareMb, residentMb, peakMb, runMs, attemptsMs, readMs }
}

async function foldAttempts(store: Store): Promise<void> {
  for (const ledger of await store.ledgers('attempt/')) {
    const state = stateMachines.attempt.initialState()
    for await (const chunk of store.read(ledger, 0)) {
      for (const { event, at } of chunk) stateMachines.attempt.evolve(state, event as AttemptEvent, at)
    }
  }
}

async function readEverything(store: Store): Promise<void> {
  for (const ledger of await store.ledgers('')) {
    for await (const chunk of store.read(ledger, 0)) if (chunk.length === 0) throw new Error('an empty chunk')
  }
}

function memory(name: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
