import { type ChildProcess, spawn } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import type { Readable } from 'node:stream'
import { type Containment, NEWLINE, THIRD, type Words, waitingCommand } from './containment.ts'
import { recordStart } from './pid-file.ts'
import { isExportable, quoted } from './shell-text.ts'
import { takeWaiting } from './waiting-process.ts'

/** A process to start. It leads a session of its own and has pipes for what it prints. */
export interface ProcessToStart {
  readonly command: Words
  readonly containment: Containment
  /** Where its start is recorded, before its first instruction. Without the record it does not run. */
  readonly pidFile: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Whether its stdin is a pipe. */
  readonly takesInput: boolean
  /** Whether it keeps the pipe to us that it has as its file 3, out of which may come an empty line first. */
  readonly hasThird: boolean
}

/** A process that is there. */
export type Started = ChildProcess & { readonly pid: number }

/** Starts a process: one that waits for our word becomes it, so that without us nothing starts. */
export function startProcess(start: ProcessToStart): Started {
  const line = becomingLine(start)
  const child = line === null ? makeFor(start) : takeWaiting(start.containment)
  if (!isStarted(child))
    throw new Error('no process can be made for it: there is no room for another, or bwrap is gone')
  try {
    recordStart(start.pidFile, child.pid)
  } catch (cause) {
    child.stdin?.end()
    throw cause
  }
  told.publish({ ...start, pid: child.pid })
  child.stdin?.write(line ?? execLine('"$@"', start))
  if (!start.takesInput) child.stdin?.end()
  // What it does not keep it closes itself, when it has no more use for it.
  if (!start.hasThird) (child.stdio[THIRD] as Readable | null)?.resume()
  return child
}

// It is read byte by byte.
const LINE_CHARACTERS_MAX = 16_384
// Node tells of its own child processes in the same way: for who measures.
const told = channel('longhaul:command')

/** One for what cannot be written in a line. Of variables that shells keep for themselves it gets what its shell makes of them. */
function makeFor({ command, containment, cwd, env }: ProcessToStart): ChildProcess {
  const [file, ...args] = waitingCommand(containment, cwd, command)
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
  // A failed start shows as a missing pid; a failed kill is found by looking for survivors.
  child.on('error', () => {})
  // Writing to a program that has ended is no bug: its end tells.
  child.stdin?.on('error', () => {})
  return child
}

function isStarted(child: ChildProcess | null): child is Started {
  return child?.pid !== undefined
}

/** What makes a waiting shell this process; null for what cannot be written in one line. */
function becomingLine(start: ProcessToStart): string | null {
  const { command, cwd, env } = start
  if (!Object.keys(env).every(isExportable)) return null
  const given = Object.entries(env).map(([name, value]) => `${name}=${word(value)}`)
  const line = [
    `cd ${word(cwd)} || exit 126`,
    ...(given.length === 0 ? [] : [`export ${given.join(' ')}`]),
    execLine(command.map(word).join(' '), start),
  ].join('; ')
  return line.length > LINE_CHARACTERS_MAX || line.includes('\0') ? null : line
}

// `cd` exports where it was before, whatever the shell was given.
function execLine(words: string, { takesInput, hasThird }: ProcessToStart): string {
  return `unset OLDPWD; export PWD; exec ${words}${takesInput ? '' : ' </dev/null'}${hasThird ? '' : ` ${THIRD}>&-`}\n`
}

function word(text: string): string {
  return quoted(text).replaceAll('\n', `'"${NEWLINE}"'`)
}
