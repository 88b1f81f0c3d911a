import { AsyncLocalStorage } from 'node:async_hooks'
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NEWLINE } from '../src/process/containment.ts'
import type { ShellCommand } from '../src/process/shell-line.ts'
import type { ProcessToStart } from '../src/process/start-process.ts'
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
  /** When it was there; one that waited to become another: when it had. */
  started: Instant
  command: readonly string[]
}

/** Sees every process that this one starts, whatever part of the program starts it. */
export class ProcessWatch {
  readonly #seen: SeenProcess[] = []
  readonly #owners = new AsyncLocalStorage<string>()
  readonly #heard = (message: unknown) => this.#made((message as { readonly process: ChildProcess }).process)
  readonly #told = (message: unknown) => this.#asked(message as Asked)

  constructor() {
    subscribe(CHANNEL, this.#heard)
    subscribe(SHELL_CHANNEL, this.#told)
  }

  /** What is started within this work is started in the owner's name. */
  inNameOf<T>(owner: string, work: () => T): T {
    return this.#owners.run(owner, work)
  }

  /** Stops watching and returns the processes seen. */
  end(): readonly SeenProcess[] {
    unsubscribe(CHANNEL, this.#heard)
    unsubscribe(SHELL_CHANNEL, this.#told)
    return this.#seen
  }

  #asked(asked: Asked): void {
    const made = instant()
    const isProgram = 'command' in asked
    const command = isProgram ? [...asked.command, asked.pidFile] : [asked.file, ...asked.args]
    const seen = { owner: this.#owners.getStore() ?? null, made, started: made, command }
    this.#seen.push(seen)
    if (isProgram) noteBegin(seen, asked.pid)
  }

  #made(child: ChildProcess): void {
    const made = instant()
    const seen = { owner: this.#owners.getStore() ?? null, made, started: made, command: [] as string[] }
    this.#seen.push(seen)
    child.once('spawn', () => {
      Object.assign(seen, { started: instant(), command: child.spawnargs })
    })
  }
}

/** What is asked of a shell, or of a process that waits to become another. */
type Asked =
  | Pick<ShellCommand, 'file' | 'args'>
  | (Pick<ProcessToStart, 'command' | 'pidFile'> & { readonly pid: number })

// Polls: never too early, and late when this process has no core to look with.
function noteBegin(seen: SeenProcess, pid: number): void {
  if (isWaiting(pid)) setTimeout(() => noteBegin(seen, pid), 1)
  else seen.started = instant()
}

/** Whether the innermost process, of those that bwrap makes, still has the words of one that waits. */
function isWaiting(pid: number): boolean {
  try {
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0] ?? ''
    if (child !== '') return isWaiting(Number(child))
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(NEWLINE.slice(1))
  } catch {
    return false // it has ended
  }
}

// Node tells of every new child process here, before it is started.
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
