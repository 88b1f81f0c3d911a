import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { readProcess } from '../end/process-table.ts'
import { CONTROL_PIPE, containedCommand, type ProgramToContain } from './containment.ts'
import { serveListeners } from './listeners.ts'

/** A process to start. It leads a session of its own and has pipes for its output. */
export interface ProcessToStart extends ProgramToContain {
  readonly env: Readonly<Record<string, string>>
  /** True when its stdin is a pipe; otherwise it is empty. */
  readonly takesInput: boolean
  /** Records the pid before the program's first instruction; when it throws, the program does not run. */
  readonly record: (pid: number) => void
}

/** A child process that has a pid. */
export type Started = ChildProcess & { readonly pid: number }

/** Starts a process whose program begins on the engine's word, so that no program runs without an engine. */
export function startProcess(start: ProcessToStart): Started {
  const child = spawnWaiting(start)
  const control = child.stdio[CONTROL_PIPE] as Socket
  // A process that dies before it is answered shows by its exit.
  control.on('error', () => {})
  try {
    start.record(child.pid)
  } catch (cause) {
    control.destroy()
    throw cause
  }
  // By now everything has asked the kernel to be ended with its parent. That works only for parents that were alive then.
  control.once('data', () => {
    if (isRunning(child)) control.write('\n')
    else control.destroy()
  })
  return child
}

function spawnWaiting(start: ProcessToStart): Started {
  const [file, ...args] = containedCommand(start)
  // bwrap itself stays outside of the folder, so that only the program counts as at work there.
  const cwd = start.containment.kind === 'bwrap' ? '/' : start.cwd
  const env = { ...start.env, PWD: start.cwd }
  const listeners = start.containment.kind === 'bwrap' ? start.containment.listeners : []
  const stdin = start.takesInput ? 'pipe' : 'ignore'
  const channel = listeners.length === 0 ? [] : (['ipc'] as const)
  const child = spawn(file, args, { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe', 'pipe', ...channel] })
  serveListeners(child, listeners)
  // A failed start shows as a missing pid; a failed kill is found by looking for survivors.
  child.on('error', () => {})
  // Writing to a program that has ended is no bug; its exit shows it.
  child.stdin?.on('error', () => {})
  if (!isStarted(child)) throw new Error('there is no room for another process, or bwrap is gone')
  return child
}

function isStarted(child: ChildProcess): child is Started {
  return child.pid !== undefined
}

// Node may not have noticed its end yet.
function isRunning({ exitCode, signalCode, pid }: Started): boolean {
  return exitCode === null && signalCode === null && readProcess(pid) !== null
}
