import { AsyncLocalStorage } from 'node:async_hooks'
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTROL_PIPE } from '../src/process/start/containment.ts'
import type { Command } from '../src/process/start/run-command.ts'
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
  /** Name under which it was started; null: none. */
  readonly owner: string | null
  /** Just before it was made. */
  readonly made: Instant
  /** When its program began. */
  started: Instant
  command: readonly string[]
}

/** Records every process that this one starts. */
export class ProcessWatch {
  readonly #seen: SeenProcess[] = []
  readonly #owners = new AsyncLocalStorage<string>()
  readonly #heard = (message: unknown) => this.#made((message as { readonly process: ChildProcess }).process)
  readonly #asked = (message: unknown) => {
    const { file, args } = message as Pick<Command, 'file' | 'args'>
    const made = instant()
    this.#seen.push({ owner: this.#owners.getStore() ?? null, made, started: made, command: [file, ...args] })
  }

  constructor() {
    subscribe(CHANNEL, this.#heard)
    subscribe(SHELL_CHANNEL, this.#asked)
  }

  /** Runs work under an owner's name, which processes started by it get. */
  inNameOf<T>(owner: string, work: () => T): T {
    return this.#owners.run(owner, work)
  }

  /** Iterates under an owner's name. */
  iterateInNameOf<T>(owner: string, items: AsyncIterable<T>): AsyncIterable<T> {
    const iterator = items[Symbol.asyncIterator]()
    return { [Symbol.asyncIterator]: () => ({ next: () => this.inNameOf(owner, () => iterator.next()) }) }
  }

  /** Stops watching and returns the processes seen. */
  end(): readonly SeenProcess[] {
    unsubscribe(CHANNEL, this.#heard)
    unsubscribe(SHELL_CHANNEL, this.#asked)
    return this.#seen
  }

  #made(child: ChildProcess): void {
    const made = instant()
    const seen = { owner: this.#owners.getStore() ?? null, made, started: made, command: [] as string[] }
    this.#seen.push(seen)
    child.once('spawn', () => {
      Object.assign(seen, { started: instant(), command: child.spawnargs })
      // A contained program begins when the shell that becomes it has been answered.
      child.stdio[CONTROL_PIPE]?.once('data', () => {
        seen.started = instant()
      })
    })
  }
}

// Node announces every new child process here, before it is started.
const CHANNEL = 'child_process'
const SHELL_CHANNEL = 'longhaul:command'

/** When git processes began and ended, by their arguments, on this process's own time line. */
export type GitTimes = ReadonlyMap<string, readonly { readonly from: number; readonly to: number }[]>

/** Reads when git processes began and ended, as they wrote it themselves. */
export function gitTimes(traces: string): GitTimes {
  const times = new Map<string, { readonly from: number; readonly to: number }[]>()
  for (const name of readdirSync(traces)) {
    const lines = readFileSync(join(traces, name), 'utf8').trimEnd().split('\n')
    const events = lines.map((line) => JSON.parse(line) as TraceEvent)
    const start = events.find(({ event }) => event === 'start')
    const key = commandKey(start?.argv ?? [])
    const time = { from: timeOf(start), to: timeOf(events.at(-1)) }
    times.set(key, [...(times.get(key) ?? []), time])
  }
  return times
}

/** The same for a process as it was started and as it told of itself. */
export function commandKey(command: readonly string[]): string {
  return JSON.stringify(command.slice(1))
}

interface TraceEvent {
  readonly event: string
  readonly time?: string
  readonly argv?: readonly string[]
}

function timeOf(event: TraceEvent | undefined): number {
  return microsecondsOf(event?.time ?? '') / 1_000 - performance.timeOrigin
}

// A Date knows milliseconds only.
function microsecondsOf(time: string): number {
  const [, second = '', fraction = '0'] = /^(.+)\.(\d+)Z$/.exec(time) ?? []
  return Date.parse(`${second}Z`) * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}
