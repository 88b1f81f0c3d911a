import { AsyncLocalStorage } from 'node:async_hooks'
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { delayMs } from './project.ts'

/** A moment on this process's time line. */
export interface Instant {
  readonly at: number
  /** How long this process has had to wait for the processor by then. */
  readonly delayed: number
}

export function instant(): Instant {
  return { at: performance.now(), delayed: delayMs() }
}

/** A process that this one has started. */
export interface SeenProcess {
  /** In whose name; null: nobody's. */
  readonly owner: string | null
  /** Just before it was made. */
  readonly made: Instant
  /** When it was there. */
  started: Instant
  pid: number
  command: readonly string[]
}

/** Sees every process that this one starts, whatever part of the program starts it. */
export class ProcessWatch {
  readonly seen: SeenProcess[] = []
  readonly #owners = new AsyncLocalStorage<string>()
  readonly #heard = (message: unknown) => this.#made((message as { readonly process: ChildProcess }).process)

  constructor() {
    subscribe(CHANNEL, this.#heard)
  }

  /** What is started within this work is started in the owner's name. */
  inNameOf<T>(owner: string, work: () => T): T {
    return this.#owners.run(owner, work)
  }

  stop(): void {
    unsubscribe(CHANNEL, this.#heard)
  }

  #made(child: ChildProcess): void {
    const made = instant()
    const seen = { owner: this.#owners.getStore() ?? null, made, started: made, pid: 0, command: [] as string[] }
    this.seen.push(seen)
    child.once('spawn', () => {
      Object.assign(seen, { started: instant(), pid: child.pid ?? 0, command: child.spawnargs })
    })
  }
}

// Node tells of every new child process here, before it is started.
const CHANNEL = 'child_process'

/** When git processes ended, by pid, on this process's own time line. */
export type GitEnds = ReadonlyMap<number, readonly number[]>

/** Reads when git processes ended, as they wrote it themselves. */
export function gitEnds(traces: string): GitEnds {
  const ends = new Map<number, number[]>()
  for (const name of readdirSync(traces)) {
    const pid = Number.parseInt(/-P([0-9a-f]+)$/.exec(name)?.[1] ?? '', 16)
    const last = readFileSync(join(traces, name), 'utf8').trimEnd().split('\n').at(-1) ?? '{}'
    const { time = '' } = JSON.parse(last) as { readonly time?: string }
    ends.set(pid, [...(ends.get(pid) ?? []), microsecondsOf(time) / 1_000 - performance.timeOrigin])
  }
  return ends
}

// A Date knows milliseconds only.
function microsecondsOf(time: string): number {
  const [, second = '', fraction = '0'] = /^(.+)\.(\d+)Z$/.exec(time) ?? []
  return Date.parse(`${second}Z`) * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}
