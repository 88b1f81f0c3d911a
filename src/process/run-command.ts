import { type ChildProcess, spawn } from 'node:child_process'
import { type NotStarted, notStarted } from './not-started.ts'

/** A short, trusted command such as git. */
export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input?: string | Buffer
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** How many bytes of stdout and of stderr may come; a command that writes more is stopped. */
  readonly outputMax?: number
}

/** How a command ended; the exit code is null whenever its output may be incomplete. */
export interface CommandEnded {
  readonly kind: 'ended'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: Buffer
  readonly stderr: string
  readonly timedOut: boolean
  readonly overflowed: boolean
  readonly durationMs: number
}

/** What running a command comes to. */
export type CommandResult = CommandEnded | NotStarted

/** Runs a command and waits for its end. Ctrl-C on the terminal does not reach it. */
export function runCommand(command: Command): Promise<CommandResult> {
  if (command.signal?.aborted) return Promise.resolve(notStarted(`${command.file} was cancelled before it started.`))
  return new Promise((resolve) => {
    const running = start(command, (message) => resolve(notStarted(message)))
    if (running !== null) follow(running, command, resolve)
  })
}

const TIMEOUT_MS = 600_000
const KILL_AFTER_MS = 2_000
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

function start(command: Command, refuse: (message: string) => void): ChildProcess | null {
  const { file, args, cwd, env, input } = command
  const refused = (cause: unknown): void => refuse(`${file} could not be started in ${cwd}: ${String(cause)}`)
  try {
    const stdin = input === undefined ? 'ignore' : 'pipe'
    const child = spawn(file, args, { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe'] })
    child.on('error', refused)
    return child.pid === undefined ? null : child
  } catch (cause) {
    refused(cause)
    return null
  }
}

function follow(child: ChildProcess, command: Command, resolve: (result: CommandEnded) => void): void {
  const startedAt = performance.now()
  const stop = stopper(child)
  const outputMax = command.outputMax ?? OUTPUT_BYTES_MAX
  const stdout = collect(child.stdout, outputMax, () => stop.because('overflow'))
  const stderr = collect(child.stderr, outputMax, () => stop.because('overflow'))
  const timer = setTimeout(() => stop.because('timeout'), command.timeoutMs ?? TIMEOUT_MS)
  const abort = (): void => stop.because('abort')
  command.signal?.addEventListener('abort', abort, { once: true })
  give(child, command.input)
  child.once('close', (code, signal) => {
    clearTimeout(timer)
    command.signal?.removeEventListener('abort', abort)
    const reason = stop.clear()
    resolve({
      kind: 'ended',
      exitCode: reason === null ? code : null,
      signal,
      stdout: Buffer.concat(stdout),
      stderr: Buffer.concat(stderr).toString(),
      timedOut: reason === 'timeout',
      overflowed: reason === 'overflow',
      durationMs: performance.now() - startedAt,
    })
  })
}

function collect(stream: ChildProcess['stdout'], bytesMax: number, overflow: () => void): Buffer[] {
  const chunks: Buffer[] = []
  let bytes = 0
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= bytesMax) chunks.push(chunk)
    else overflow()
  })
  return chunks
}

function give(child: ChildProcess, input: string | Buffer | undefined): void {
  // A command may end without having read its input: that is its business, told by its exit code.
  child.stdin?.on('error', () => {})
  if (input !== undefined) child.stdin?.end(input)
}

type StopReason = 'timeout' | 'overflow' | 'abort'

interface Stopper {
  readonly because: (reason: StopReason) => void
  readonly clear: () => StopReason | null
}

function stopper(child: ChildProcess): Stopper {
  let why: StopReason | null = null
  let timer: NodeJS.Timeout | undefined
  const kill = (): void => {
    signalGroup(child, 'SIGKILL')
    // Something that left the group may still hold these open.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  const because = (reason: StopReason): void => {
    if (why !== null) return
    why = reason
    // Gently first: git removes its lock files.
    signalGroup(child, 'SIGTERM')
    timer = setTimeout(kill, KILL_AFTER_MS)
  }
  const clear = (): StopReason | null => {
    clearTimeout(timer)
    return why
  }
  return { because, clear }
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // the whole group has ended already
  }
}
