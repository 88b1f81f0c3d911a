import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, createWriteStream, openSync } from 'node:fs'
import { groupStopper } from '../end/stop-group.ts'
import { type NotStarted, notStarted } from './not-started.ts'

/** A short, trusted command such as git. */
export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input?: string | Buffer
  /** File that the command reads as its input. */
  readonly inputFile?: string
  /** New file that gets stdout, which is then not kept in memory. */
  readonly outputFile?: string
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Bytes allowed on stdout and on stderr; a command that writes more is stopped. */
  readonly outputMax?: number
}

/** End of a command; the exit code is null whenever its output may be incomplete. */
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

/** Result of running a command. */
export type CommandResult = CommandEnded | NotStarted

/** Runs a command to its end. */
export type RunCommand = (command: Command) => Promise<CommandResult>

/** Runs a command to its end. Ctrl-C on the terminal does not reach it. */
export function runCommand(command: Command): Promise<CommandResult> {
  if (command.signal?.aborted) return Promise.resolve(notStarted(`${command.file} was cancelled before it started.`))
  return new Promise((resolve) => {
    const running = start(command, (message) => resolve(notStarted(message)))
    if (running !== null) follow(running, command, resolve)
  })
}

/** Bytes that a command may write, unless it sets its own bound. */
export const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

function start(command: Command, refuse: (message: string) => void): ChildProcess | null {
  const { file, args, cwd, env, input, inputFile } = command
  const refused = (cause: unknown): void => refuse(`${file} could not be started in ${cwd}: ${String(cause)}`)
  let stdin: 'ignore' | 'pipe' | number = input === undefined ? 'ignore' : 'pipe'
  try {
    if (inputFile !== undefined) stdin = openSync(inputFile, 'r')
    const child = spawn(file, args, { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe'] })
    child.on('error', refused)
    return child.pid === undefined ? null : child
  } catch (cause) {
    refused(cause)
    return null
  } finally {
    if (typeof stdin === 'number') closeSync(stdin)
  }
}

function follow(child: ChildProcess, command: Command, resolve: (result: CommandEnded) => void): void {
  const startedAt = performance.now()
  const stop = groupStopper(child, command)
  const outputMax = command.outputMax ?? OUTPUT_BYTES_MAX
  const overflow = (): void => stop.because('overflow')
  const stderr = collect(child.stderr, outputMax, overflow)
  const { outputFile } = command
  const stored = outputFile === undefined ? null : store(child.stdout, outputFile, outputMax, overflow)
  const stdout = stored === null ? collect(child.stdout, outputMax, overflow) : []
  give(child, command.input)
  child.once('close', async (code, signal) => {
    const failed = (await stored) ?? ''
    if (failed !== '') stderr.push(Buffer.from(failed))
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

/** Writes a stream to a new file; returns what went wrong, or null. */
function store(
  stream: ChildProcess['stdout'],
  path: string,
  bytesMax: number,
  overflow: () => void,
): Promise<string | null> {
  let bytes = 0
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bytesMax) overflow()
  })
  stream?.pipe(file)
  stream?.once('close', () => file.end())
  return new Promise((resolve) => {
    file.once('close', () => resolve(null))
    file.once('error', (cause: NodeJS.ErrnoException) => {
      overflow()
      stream?.resume()
      resolve(cause.code === 'ENOSPC' ? `${path}: No space left on device` : cause.message)
    })
  })
}

function give(child: ChildProcess, input: string | Buffer | undefined): void {
  // A command may exit without reading its input; its exit code shows whether that is a failure.
  child.stdin?.on('error', () => {})
  if (input !== undefined) child.stdin?.end(input)
}
