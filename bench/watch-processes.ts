import { AsyncLocalStorage } from 'node:async_hooks'
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTROL_PIPE } from '../src/process/start/containment.ts'
import type { Command } from '../src/process/start/run-command.ts'
import { delayMs } from './project.ts'

/** Moment on this process's time line. */
export interface Instant {
  readonly at: number
  /** Time this process has waited for a processor by then. */
  readonly delayed: number
}

export function instant(): Instant {
  return { at: performance.now(), delayed: delayMs() }
}

/** Process that this one has started. */
export interface SeenProcess {
  /** Name under which it was started; null: none. */
  readonly owner: string | null
  /** Moment just before it was created. */
  readonly made: Instant
  /** Moment when its program began. */
  started: Instant
  command: readonly string[]
}

/** Records every process that this one starts. */
export class ProcessWatch {
  readonly #seen: SeenProcess[] = []
  readonly #owners = new AsyncLocalStorage<string>()
  readonly #created = (message: unknown) => this.#addChild((message as { readonly process: ChildProcess }).process)
  readonly #asked = (message: unknown) => {
    const { file, args } = message as Pick<Command, 'file' | 'args'>
    const moment = instant()
    this.#seen.push({ owner: this.#owners.getStore() ?? null, made: moment, started: moment, command: [file, ...args] })
  }

  constructor() {
    subscribe(CHANNEL, this.#created)
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
    unsubscribe(CHANNEL, this.#created)
    unsubscribe(SHELL_CHANNEL, this.#asked)
    return this.#seen
  }

  #addChild(child: ChildProcess): void {
    const moment = instant()
    const seen = { owner: this.#owners.getStore() ?? null, made: moment, started: moment, command: [] as string[] }
    this.#seen.push(seen)
    child.once('spawn', () => {
      Object.assign(seen, { started: instant(), command: child.spawnargs })
      // A contained program begins when the engine has answered the shell that becomes it.
      child.stdio[CONTROL_PIPE]?.once('data', () => {
        seen.started = instant()
      })
    })
  }
}

// Node announces every new child process here, before it is started.
const CHANNEL = 'child_process'
const SHELL_CHANNEL = 'longhaul:command'

/** Starts and ends of git processes by their arguments, on this process's time line. */
export type GitTimes = ReadonlyMap<string, readonly { readonly from: number; readonly to: number }[]>

/** Reads the starts and ends of git processes from their traces. */
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

/** Builds a key that is equal for a started command and for the trace of its process. */
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

// Date has only milliseconds.
function microsecondsOf(time: string): number {
  const [, second = '', fraction = '0'] = /^(.+)\.(\d+)Z$/.exec(time) ?? []
  return Date.parse(`${second}Z`) * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}
