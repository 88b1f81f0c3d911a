import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { MarkedOutput } from './marked-output.ts'

/** What came of one line. The code is null when the shell itself has ended. */
export interface ShellAnswer {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: Buffer
  readonly stderr: string
}

/** A shell that runs one line after another. It ends when its input does: with us, whatever becomes of us. */
export class Shell {
  readonly process: ChildProcess
  #settle: (code: number | null, signal: string | null) => void = () => {}
  #stdout: MarkedOutput | null = null
  #stderr: MarkedOutput | null = null

  /** Null where there is no shell to be had. */
  static open(): Shell | null {
    const child = spawnShell(['/bin/sh'], ['pipe', 'pipe', 'pipe'])
    return child === null ? null : new Shell(child)
  }

  private constructor(child: ChildProcess) {
    this.process = child
    // A shell that has died says so by its end.
    child.stdin?.on('error', () => {})
    child.stdout?.on('data', (chunk: Buffer) => this.#hear(this.#stdout, chunk))
    child.stderr?.on('data', (chunk: Buffer) => this.#hear(this.#stderr, chunk))
    child.once('close', (_, signal) => this.#settle(null, signal))
  }

  get isOpen(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null
  }

  /** Runs a line that ends by writing the mark, with the exit code on stdout and bare on stderr. */
  ask(line: string, mark: string, bytesMax: number, overflow: () => void): Promise<ShellAnswer> {
    const stdout = new MarkedOutput(mark, /^ (\d+)\n/, bytesMax, overflow)
    const stderr = new MarkedOutput(mark, /^/, bytesMax, overflow)
    this.#stdout = stdout
    this.#stderr = stderr
    return new Promise((resolve) => {
      this.#settle = (code, signal) => {
        this.#settle = () => {}
        resolve({ code, signal, stdout: stdout.text(), stderr: stderr.text().toString() })
      }
      this.process.stdin?.write(line)
    })
  }

  /** While it rests, it keeps nobody from ending. */
  rest(): void {
    eachHandle(this.process, (handle) => handle.unref())
  }

  wake(): void {
    eachHandle(this.process, (handle) => handle.ref())
  }

  /** Ends after what it is doing. */
  async end(): Promise<void> {
    if (!this.isOpen) return
    this.wake()
    const gone = once(this.process, 'exit')
    this.process.stdin?.end()
    await gone
  }

  #hear(output: MarkedOutput | null, chunk: Buffer): void {
    output?.take(chunk)
    const code = this.#stdout?.mark ?? null
    if (code !== null && this.#stderr?.mark !== null) this.#settle(Number(code), null)
  }
}

/** A shell of its own session with nothing in its environment; null where the system refuses to make one. */
export function spawnShell(
  [file, ...args]: readonly [string, ...string[]],
  stdio: readonly 'pipe'[],
): ChildProcess | null {
  try {
    const child = spawn(file, args, { cwd: '/', env: {}, detached: true, stdio: [...stdio] })
    child.on('error', () => {})
    return child.pid === undefined ? null : child
  } catch {
    return null // what Node throws instead of telling it later: too little memory, for one
  }
}

/** Changes everything by which a child process keeps us from ending. */
export function eachHandle(child: ChildProcess, change: (handle: Handle) => void): void {
  for (const handle of [child, ...child.stdio]) if (handle) change(handle as unknown as Handle)
}

interface Handle {
  ref(): void
  unref(): void
}
