import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { setImmediate as afterReading, setTimeout as pause } from 'node:timers/promises'
import type { Survivor } from '../end/end-tree.ts'
import type { NotStarted } from './not-started.ts'
import { type OutputLine, readLines } from './read-lines.ts'
import { type ContainedProgram, type Spawned, spawnContained } from './spawn-contained.ts'

/** A long-running program such as an agent. */
export interface Program extends ContainedProgram {
  readonly stdin: 'pipe' | 'closed'
  readonly lineMax?: number
}

/** End of a program's own process; killed inside bwrap it reads as exit code 128 + signal. */
export interface ProgramEnded {
  readonly exitCode: number | null
  readonly signal: string | null
}

/** A running program. The caller of `launch` calls `end` when `ended` settles, or earlier. */
export interface Launched {
  readonly kind: 'launched'
  readonly pid: number
  readonly stdin: Writable | null
  /** Raw output; read either this or `lines`. */
  readonly stdout: Readable
  readonly lines: AsyncIterable<OutputLine>
  /** Returns the last 16 KB of stderr. */
  stderrTail(): string
  /** Settles after the end of stderr was read. */
  readonly ended: Promise<ProgramEnded>
  /** Ends it with everything it started and everything in its folder; returns the processes still alive. */
  end(graceMs: number): Promise<readonly Survivor[]>
}

/** Starts a program that Ctrl-C does not reach and that cannot outlive the engine. */
export function launch(program: Program): Launched | NotStarted {
  const spawned = spawnContained(program, { takesInput: program.stdin === 'pipe', keepsControlPipe: false })
  return spawned.kind === 'spawned' ? launched(spawned, program) : spawned
}

const STDERR_TAIL_BYTES = 16 * 1024
const QUIET_MS = 200

function launched({ child, pid, end }: Spawned, { lineMax }: Program): Launched {
  const { stdin, stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('A launched program has pipes for its output.')
  let isEmpty = false
  const ended = new Promise<ProgramEnded>((resolve) => {
    child.once('exit', (exitCode, signal) => {
      void closeWhenQuiet(stdout, () => isEmpty)
      // The end of its output arrives a little after its exit.
      void closeWhenQuiet(stderr, () => isEmpty).then(() => resolve({ exitCode, signal }))
    })
  })
  return {
    kind: 'launched',
    pid,
    stdin,
    stdout,
    ended,
    lines: readLines(untilClosed(stdout), lineMax === undefined ? {} : { lineMax }),
    stderrTail: keepTail(stderr),
    async end(graceMs) {
      const { survivors } = await end(graceMs)
      isEmpty = survivors.length === 0
      if (!isEmpty) for (const pipe of [stdout, stderr]) pipe.destroy()
      return survivors
    },
  }
}

// A leftover process may hold the pipe open after the program's exit. Once the tree is empty the pipe closes by itself,
// however late it is read.
async function closeWhenQuiet(pipe: Readable, isEmpty: () => boolean): Promise<void> {
  const isOver = (): boolean => pipe.destroyed || isEmpty()
  const closed = new Promise((resolve) => pipe.once('close', resolve))
  for (let seen = -1; !isOver(); ) {
    const { bytesRead } = pipe as Socket
    if (bytesRead === seen && pipe.readableLength === 0) pipe.destroy()
    seen = bytesRead
    // After a busy event loop the timer fires first: look only after the data that has arrived was read.
    await Promise.race([closed, pause(QUIET_MS, undefined, { ref: false }).then(() => afterReading())])
  }
}

async function* untilClosed(pipe: Readable): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* pipe
  } catch {
    // closed from our side, which ends it too
  }
}

function keepTail(pipe: Readable): () => string {
  let tail = Buffer.alloc(0)
  pipe.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-STDERR_TAIL_BYTES)
  })
  return () => tail.toString()
}
