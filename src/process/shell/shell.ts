import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { MarkedOutput } from './marked-output.ts'

/** Result of a shell line. The code is null when the shell itself has ended. */
export interface ShellAnswer {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: Buffer
  readonly stderr: string
}

/** A shell that runs lines one after another. It exits when its input closes, so it never outlives the engine. */
export class Shell {
  readonly process: ChildProcess
  #settle: (code: number | null, signal: string | null) => void = () => {}
  #stdout: MarkedOutput | null = null
  #stderr: MarkedOutput | null = null

  /** Starts a shell; null where the system refuses. */
  static open(): Shell | null {
    try {
      const child = spawn('/bin/sh', [], { cwd: '/', env: {}, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
      child.on('error', () => {})
      return child.pid === undefined ? null : new Shell(child)
    } catch {
      return null // thrown instead of reported as an error, when memory is short for one
    }
  }

  private constructor(child: ChildProcess) {
    this.process = child
    // A shell that has died shows by its exit.
    child.stdin?.on('error', () => {})
    child.stdout?.on('data', (chunk: Buffer) => this.#receive(this.#stdout, chunk))
    child.stderr?.on('data', (chunk: Buffer) => this.#receive(this.#stderr, chunk))
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

  /** Lets this process exit while the shell is idle. */
  unref(): void {
    for (const handle of this.#handles()) handle.unref()
  }

  ref(): void {
    for (const handle of this.#handles()) handle.ref()
  }

  /** Closes its input and waits until it has exited, after the line under way. */
  async close(): Promise<void> {
    if (!this.isOpen) return
    this.ref()
    const exited = once(this.process, 'exit')
    this.process.stdin?.end()
    await exited
  }

  #handles(): readonly Handle[] {
    return [this.process, ...this.process.stdio].filter(Boolean) as unknown as readonly Handle[]
  }

  #receive(output: MarkedOutput | null, chunk: Buffer): void {
    output?.take(chunk)
    const code = this.#stdout?.mark ?? null
    if (code !== null && this.#stderr?.mark !== null) this.#settle(Number(code), null)
  }
}

interface Handle {
  ref(): void
  unref(): void
}
