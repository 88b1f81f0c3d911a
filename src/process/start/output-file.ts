import { constants, createWriteStream, openSync } from 'node:fs'
import { finished } from 'node:stream/promises'

/** File that keeps the beginning of an output. */
export interface OutputFile {
  add(chunk: Buffer): void
  /** Waits until all is written; returns a line with the reason when it failed, which must not fail the command. */
  close(): Promise<string | null>
}

/** Opens a file for the first bytes of an output; no link is followed. */
export function openOutputFile(path: string, bytesMax: number): OutputFile {
  const notKept = (cause: unknown) => `\n[the output was not kept in ${path}: ${String(cause)}]\n`
  const file = openedFor(path)
  if (typeof file !== 'number') return { add() {}, close: async () => notKept(file) }
  const stream = createWriteStream(path, { fd: file })
  const written = finished(stream).then(() => null, notKept)
  let room = bytesMax
  return {
    add(chunk) {
      if (room <= 0) return
      stream.write(chunk.subarray(0, room))
      room -= chunk.length
      if (room < 0) stream.write(CUT)
    },
    close() {
      stream.end()
      return written
    },
  }
}

// Opening a pipe that nothing reads would never end.
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW | constants.O_NONBLOCK

function openedFor(path: string): number | unknown {
  try {
    return openSync(path, FLAGS)
  } catch (cause) {
    return cause
  }
}

const CUT = '\n[the rest is left out]\n'
