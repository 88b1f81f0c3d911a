#!/usr/bin/env node
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readEnvironment } from './config/environment.ts'
import { packageFile } from './package/package-file.ts'
import type { Clock } from './ports/clock.ts'
import { runCli } from './surfaces/cli/cli.ts'
import { terminalOf } from './surfaces/cli/terminal.ts'

// Timers stop while the machine sleeps; checking the clock every minute ends a wait on time after wake-up.
const LOOK_MS = 60_000

const clock: Clock = {
  now: () => Date.now(),
  uuid: () => randomUUID(),
  after(ms, wake) {
    const due = { wall: Date.now() + ms, steady: performance.now() + ms }
    const leftMs = () => Math.min(due.wall - Date.now(), due.steady - performance.now())
    const look = () => {
      if (leftMs() <= 0) wake()
      else wait()
    }
    let timer: NodeJS.Timeout
    const wait = () => {
      timer = setTimeout(look, Math.min(LOOK_MS, Math.max(0, Math.ceil(leftMs()))))
    }
    wait()
    return () => clearTimeout(timer)
  },
}

const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { readonly version: string }

const environment = readEnvironment()

process.exitCode = await runCli(
  process.argv.slice(2),
  {
    clock,
    environment,
    folder: currentFolder(),
    pid: process.pid,
    stdout: process.stdout,
    stderr: process.stderr,
    onSignal(signal, listener) {
      process.on(signal, listener)
      return () => void process.off(signal, listener)
    },
    ask,
    terminal: () => terminalOf(process),
    exit: (code) => process.exit(code),
    adapters: async () => (await import('./registry.ts')).adapters,
  },
  version,
)

/** Returns the working folder; if it was removed while the shell is in it, its name, for the message. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return environment.PWD ?? '/'
  }
}

/** Asks without the terminal's line editing, so that Ctrl-C ends the process as usual. */
async function ask(question: string): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false })
  const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)))
  const answer = await Promise.race([lines.question(question), ended])
  lines.close()
  return answer
}
