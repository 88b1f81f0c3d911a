import { randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { constants } from 'node:os'
import { groupStopper } from '../end/stop-group.ts'
import { notStarted } from '../start/not-started.ts'
import { type Command, type CommandResult, OUTPUT_BYTES_MAX, runCommand } from '../start/run-command.ts'
import { Shell, type ShellAnswer } from './shell.ts'
import { fitsShell, NOT_STARTED_CODES, shellLine } from './shell-line.ts'

// Node forks by copying its page tables: milliseconds in which the event loop stands still. A shell has little to copy.

/** Runs short, trusted commands from small shells, each of which takes the next command when it is idle. */
export class Shells {
  readonly #idle: Shell[] = []

  /** Runs a command as `runCommand` does; a command that is no shell line is started directly. */
  readonly run = async (command: Command): Promise<CommandResult> => {
    const shell = command.signal?.aborted || !fitsShell(command) ? null : (this.#takeIdle() ?? Shell.open())
    return shell === null ? runCommand(command) : this.#runIn(shell, command)
  }

  /** Closes idle shells and waits until they have exited. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((shell) => shell.close()))
  }

  #takeIdle(): Shell | null {
    const shell = this.#idle.pop()
    return shell === undefined || shell.isOpen ? (shell ?? null) : this.#takeIdle()
  }

  async #runIn(shell: Shell, command: Command): Promise<CommandResult> {
    shell.ref()
    commands.publish(command)
    const startedAt = performance.now()
    const stop = groupStopper(shell.process, command)
    const mark = randomBytes(16).toString('hex')
    const overflow = (): void => stop.because('overflow')
    const answer = await shell.ask(shellLine(command, mark), mark, command.outputMax ?? OUTPUT_BYTES_MAX, overflow)
    const reason = stop.clear()
    if (reason === null && this.#idle.length < IDLE_MAX) this.#idle.push(shell)
    else void shell.close()
    shell.unref()
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
}

const IDLE_MAX = 12
// Lets a bench see these commands, as Node announces its own child processes.
const commands = channel('longhaul:command')

// A shell reports 128 + n for a program ended by a signal; git itself exits with 128 and 129 when it gives up.
const BY_SIGNAL = 128
const GIVEN_UP_MAX = 129

function signalOf({ code, signal }: ShellAnswer): string | null {
  if (code === null || code <= GIVEN_UP_MAX) return signal
  return Object.entries(constants.signals).find(([, number]) => number === code - BY_SIGNAL)?.[0] ?? null
}
