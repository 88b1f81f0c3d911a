import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '../..')

/** Processes that run store-process-main.ts, compiled from the current sources. */
export interface StoreProcesses {
  start(...args: readonly string[]): StoreProcess
  /** Kills remaining processes and removes the compiled files. */
  end(): Promise<void>
}

export interface StoreProcess {
  readonly pid: number
  /** Returns the next line of output, or null when the process has ended. */
  line(): Promise<string | null>
  /** Returns all lines until the end; throws when the process fails by itself. */
  rest(): Promise<string[]>
  kill(): Promise<void>
}

/** Compiles the program, which can then be started. */
export function prepareStoreProcesses(): StoreProcesses {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-store-process-'))
  compile(folder)
  const children: ChildProcess[] = []
  return {
    start(...args) {
      const program = join(folder, 'out/test/conformance/store-process-main.js')
      const child = spawn(process.execPath, ['--expose-gc', program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
      children.push(child)
      return wrapProcess(child)
    },
    async end() {
      for (const child of children) await killed(child)
      rmSync(folder, { recursive: true })
    },
  }
}

function compile(folder: string): void {
  mkdirSync(join(folder, 'out'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'out/package.json'), '{ "type": "module" }')
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noEmit: false, noCheck: true, rootDir: root, outDir: join(folder, 'out') },
    include: [],
    files: [join(root, 'test/conformance/store-process-main.ts')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
}

function wrapProcess(child: ChildProcess): StoreProcess {
  if (!child.stdout || !child.stderr || child.pid === undefined) throw new Error('The process did not start.')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const complaints = text(child.stderr)
  const line = async () => {
    const { value, done } = await lines.next()
    return done ? null : value
  }
  return {
    pid: child.pid,
    line,
    async rest() {
      const all: string[] = []
      for (let next = await line(); next !== null; next = await line()) all.push(next)
      await ended(child)
      if (child.exitCode !== 0 && child.signalCode === null) throw new Error(await complaints)
      return all
    },
    kill: () => killed(child),
  }
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await ended(child)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => child.once('exit', resolve))
}
