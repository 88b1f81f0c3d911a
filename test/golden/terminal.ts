import { join } from 'node:path'
import type { Environment } from '../../src/config/environment.ts'
import { adapters } from '../../src/registry.ts'
import { runCli } from '../../src/surfaces/cli/cli.ts'
import type { Stream } from '../../src/surfaces/cli/world.ts'
import { testEnvironment } from '../environment.ts'

/** Output of a command line. */
export interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Terminal in which a command line runs. */
export interface Terminal {
  readonly folder: string
  /** Columns, or null for a pipe. */
  readonly width: number | null
  /** Current time. */
  readonly now: number
}

/** Terminal in a folder without repository or state. */
export const NOWHERE: Terminal = { folder: '/', width: 80, now: 0 }

/** Runs a command line in this process, with the real adapters and a fixed clock. */
export async function typed({ folder, width, now }: Terminal, ...args: readonly string[]): Promise<Printed> {
  const [stdout, stderr] = [screen(width), screen(width)]
  const code = await runCli(
    args,
    {
      clock: { now: () => now, uuid: nextUuid, after: () => () => {} },
      environment: environmentIn(folder),
      folder,
      pid: 1,
      stdout,
      stderr,
      onSignal: () => () => {},
      ask: async () => null,
      terminal: () => null,
      exit: (status) => {
        throw new Error(`left with ${status}`)
      },
      adapters: async () => adapters,
    },
    '0.0.0',
  )
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** Returns the help page of every verb and part. */
export async function helpPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>()
  const open = ['']
  for (let verb = open.shift(); verb !== undefined; verb = open.shift()) {
    const { stdout } = await typed(NOWHERE, ...verb.split(' ').filter(Boolean), '--help')
    // Verbs and parts are indented by two columns, under every heading but these.
    const lists = stdout.split('\n\n').filter((part) => !/^(Options|Arguments|Example):/.test(part))
    const parts = lists.flatMap((list) => [...list.matchAll(/^ {2}([a-z]+) /gm)])
    open.push(...parts.map(([, part = '']) => `${verb} ${part}`.trim()))
    pages.set(verb, stdout)
  }
  return pages
}

let uuids = 0

function nextUuid(): string {
  uuids += 1
  return `80000000-0000-4000-8000-${String(uuids).padStart(12, '0')}`
}

/** Folder of a project's workspaces; it is removed with the project. */
export const WORKSPACES = '.git/golden-workspaces'

function environmentIn(folder: string): Environment {
  return { ...testEnvironment(join(folder, 'home')), LONGHAUL_STATE_HOME: join(folder, WORKSPACES), NO_COLOR: '1' }
}

function screen(width: number | null): Stream & { text(): string } {
  let text = ''
  return {
    ...(width === null ? {} : { isTTY: true, columns: width }),
    write(more) {
      text += more
    },
    on: () => {},
    text: () => text,
  }
}
