import type { ChildProcess } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PID_FILE_SUFFIX } from '../end/pid-files.ts'
import { CONTROL_PIPE, type Containment } from './containment.ts'
import { type NotStarted, notStarted } from './not-started.ts'
import { OutputExcerpt } from './output-excerpt.ts'
import { openOutputFile } from './output-file.ts'
import { type Spawned, spawnContained } from './spawn-contained.ts'

/** Command of the user's: a gate, a setup command, a hook. */
export interface ContainedCommand {
  /** Script for sh. */
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  readonly containment: Containment
  readonly pidFolder: string
  /** Workspace that is emptied after the command; null: only what it started is ended. */
  readonly folder: string | null
  /** Time that leftover processes have to exit by themselves. */
  readonly leftoverMs?: number
  /** Bytes of the output that are kept as text. */
  readonly outputMax: number
  /** File that also gets the output, up to 10 MB. */
  readonly outputFile?: string
  /** Receives all of the output as it comes. */
  readonly onOutput?: (chunk: Buffer) => void
}

/** End of a command; killed under bwrap it reads as exit code 128 + signal. */
export interface ContainedEnded {
  readonly kind: 'ended'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  /** stdout and stderr as they came, the middle left out when too long. */
  readonly output: string
  readonly outputBytes: number
  /** SHA-256 of the whole output, in hex. */
  readonly outputDigest: string
  /** Number of background processes that were still alive and have been ended. */
  readonly leftovers: number
  readonly durationMs: number
}

/** Result of running a command. */
export type ContainedResult = ContainedEnded | NotStarted

/** Runs a command and ends everything it started. Never hangs on leftover processes. */
export async function runContained(command: ContainedCommand): Promise<ContainedResult> {
  if (command.signal?.aborted) return notStarted('The command was cancelled before it started.')
  const startedAt = performance.now()
  const spawned = spawnShell(command)
  if (spawned.kind === 'not-started') return spawned
  const gathered = gather(spawned.child, command)
  const counted = readCount(spawned.child)
  const closed = once(spawned.child, 'close')
  const stopped = await untilExit(spawned, command)
  const sweep = await endLeftovers(spawned, closed, command.leftoverMs ?? PIPE_WAIT_MS)
  const leftovers = command.containment.kind === 'bwrap' ? counted() : sweep
  const { exitCode, signalCode } = spawned.child
  return {
    kind: 'ended',
    exitCode: stopped === null ? exitCode : null,
    signal: signalCode,
    timedOut: stopped === 'timeout',
    ...(await gathered()),
    leftovers: stopped === null ? leftovers : 0,
    durationMs: performance.now() - startedAt,
  }
}

const OUTPUT_FILE_BYTES_MAX = 10 * 1024 * 1024
const GRACE_MS = 2_000
const PIPE_WAIT_MS = 200
const COUNT_WAIT_MS = 150
const COUNT_STEP_MS = 10
const POLL_MS = 5
const TIMER_MS_MAX = 2 ** 31 - 1

const RUN = 'exec 2>&1; exec /bin/sh -c -- "$0"'

// The exit of the first process in a pid namespace is kill -9 for all others. Background processes get a moment to finish
// writing; those left then are counted, without bwrap and this shell (2). The shell's own messages ("Killed") are no
// output of the command.
const RUN_AND_COUNT = `exec 2>/dev/null
trap : TERM
(exec 2>&1 ${CONTROL_PIPE}>&-; exec /bin/sh -c -- "$0")
code=$? tries=$1
set -- /proc/[0-9]*
while [ $# -gt 2 ] && [ $tries -gt 0 ]; do sleep 0.01; tries=$((tries - 1)); set -- /proc/[0-9]*; done
echo $(($# - 2)) >&${CONTROL_PIPE}
exit $code`

function spawnShell(order: ContainedCommand): Spawned | NotStarted {
  const { command, cwd, env, containment, pidFolder, folder, leftoverMs = COUNT_WAIT_MS } = order
  const counts = containment.kind === 'bwrap'
  const args = [
    '-c',
    ...(counts ? [RUN_AND_COUNT, command, `${Math.ceil(leftoverMs / COUNT_STEP_MS)}`] : [RUN, command]),
  ]
  const pidFile = join(pidFolder, `command-${randomUUID()}${PID_FILE_SUFFIX}`)
  const program = { file: '/bin/sh', args, cwd, env, pidFile, containment, folder }
  return spawnContained(program, { takesInput: false, keepsControlPipe: counts })
}

type Gathered = Pick<ContainedEnded, 'output' | 'outputBytes' | 'outputDigest'>

function gather(child: ChildProcess, { outputMax, outputFile, onOutput }: ContainedCommand): () => Promise<Gathered> {
  const excerpt = new OutputExcerpt(outputMax)
  const hash = createHash('sha256')
  const file = outputFile === undefined ? null : openOutputFile(outputFile, OUTPUT_FILE_BYTES_MAX)
  const take = (chunk: Buffer): void => {
    excerpt.add(chunk)
    hash.update(chunk)
    file?.add(chunk)
    onOutput?.(chunk)
  }
  child.stdout?.on('data', take)
  // The command's stderr goes into stdout; only messages of bwrap and the shell arrive here.
  child.stderr?.on('data', take)
  return async () => {
    const complaint = (await file?.close()) ?? ''
    return { output: excerpt.text() + complaint, outputBytes: excerpt.bytes, outputDigest: hash.digest('hex') }
  }
}

type Stopped = 'timeout' | 'abort' | null

async function untilExit({ child, end }: Spawned, { timeoutMs, signal }: ContainedCommand): Promise<Stopped> {
  let stopped: Stopped = null
  let stop: (why: Stopped) => void = () => {}
  const swept = new Promise((resolve) => {
    stop = (why) => {
      stopped ??= why
      resolve(end(GRACE_MS))
    }
  })
  const abort = (): void => stop('abort')
  const timer = setTimeout(() => stop('timeout'), Math.min(timeoutMs, TIMER_MS_MAX))
  signal?.addEventListener('abort', abort, { once: true })
  await Promise.race([once(child, 'exit'), swept.then(() => moment())])
  clearTimeout(timer)
  signal?.removeEventListener('abort', abort)
  return stopped
}

async function endLeftovers(
  { child, isEmpty, end }: Spawned,
  closed: Promise<unknown>,
  leftoverMs: number,
): Promise<number> {
  const until = performance.now() + leftoverMs
  await Promise.race([closed, pause(leftoverMs, undefined, { ref: false })])
  // A process closes its pipes a little before its exit.
  while (performance.now() < until && !isEmpty()) await pause(POLL_MS)
  const { found } = await end(GRACE_MS)
  await Promise.race([closed, moment()])
  for (const pipe of child.stdio) pipe?.destroy()
  return found
}

function readCount(child: ChildProcess): () => number {
  let text = ''
  child.stdio[CONTROL_PIPE]?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  return () => Number.parseInt(text, 10) || 0
}

function moment(): Promise<void> {
  return pause(PIPE_WAIT_MS, undefined, { ref: false })
}
