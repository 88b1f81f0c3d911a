import { randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { constants } from 'node:os'
import { notStarted } from './not-started.ts'
import { type CommandResult, OUTPUT_BYTES_MAX, runCommand } from './run-command.ts'
import { Shell, type ShellAnswer } from './shell.ts'
import { fitsShell, NOT_STARTED_CODES, type ShellCommand, shellLine } from './shell-line.ts'
import { groupStopper } from './stop-group.ts'

// Node makes a process by copying its own page tables: milliseconds in which nothing else happens here. A shell has next
// to nothing to copy.

/** Runs a command as `runCommand` does, from a small shell that then waits for the next one. */
export async function runInShell(command: ShellCommand): Promise<CommandResult> {
  if (command.signal?.aborted || !fitsShell(command)) return runInTurn(command)
  const shell = restingShell() ?? Shell.open()
  return shell === null ? runInTurn(command) : run(shell, command)
}

async function runInTurn({ first = [], ...command }: ShellCommand): Promise<CommandResult> {
  for (const args of first) {
    const ended = await runCommand({ ...command, args })
    if (ended.kind === 'not-started' || ended.exitCode !== 0) return ended
  }
  return runCommand(command)
}

/** Opens shells before a command wants them. */
export function openShells(): void {
  while (resting.length < OPENED_FIRST) {
    const shell = Shell.open()
    if (shell === null) return
    shell.rest()
    resting.push(shell)
  }
}

/** Tells whether a command is under way. */
export function isShellBusy(): boolean {
  return busy > 0
}

/** Ends the shells that wait for a command, and sees them gone. */
export async function endShells(): Promise<void> {
  await Promise.all(resting.splice(0).map((shell) => shell.end()))
}

const RESTING_MAX = 12
// About as many commands as a checkpoint and a landing have under way together.
const OPENED_FIRST = 6
const resting: Shell[] = []
let busy = 0
// Node tells of its own child processes in the same way: for who measures.
const told = channel('longhaul:command')

function restingShell(): Shell | null {
  const shell = resting.pop()
  return shell === undefined || shell.isOpen ? (shell ?? null) : restingShell()
}

async function run(shell: Shell, command: ShellCommand): Promise<CommandResult> {
  shell.wake()
  for (const args of command.first ?? []) told.publish({ ...command, args })
  told.publish(command)
  const startedAt = performance.now()
  const stop = groupStopper(shell.process, command)
  const mark = randomBytes(16).toString('hex')
  const overflow = (): void => stop.because('overflow')
  busy += 1
  const answer = await shell.ask(shellLine(command, mark), mark, command.outputMax ?? OUTPUT_BYTES_MAX, overflow)
  busy -= 1
  const reason = stop.clear()
  if (reason === null && resting.length < RESTING_MAX) resting.push(shell)
  else void shell.end()
  shell.rest()
  if (reason === null && NOT_STARTED_CODES.includes(answer.code ?? 0)) {
    return notStarted(`${command.file} could not be started in ${command.cwd}: ${answer.stderr.trim()}`)
  }
  const signal = signalOf(answer)
  return {
    kind: 'ended',
    exitCode: reason === null && signal === null ? answer.code : null,
    signal,
    stdout: answer.stdout,
    stderr: answer.stderr,
    timedOut: reason === 'timeout',
    overflowed: reason === 'overflow',
    durationMs: performance.now() - startedAt,
  }
}

// A shell says 128 + n of a program that a signal ended; git itself says 128 and 129 when it gives up.
const BY_SIGNAL = 128
const GIVEN_UP_MAX = 129

function signalOf({ code, signal }: ShellAnswer): string | null {
  if (code === null || code <= GIVEN_UP_MAX) return signal
  return Object.entries(constants.signals).find(([, number]) => number === code - BY_SIGNAL)?.[0] ?? null
}
