import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** File that keeps the beginning of an output. */
export interface OutputFile {
  add(chunk: Buffer): void
  /** Waits until all is written; returns a line with the reason when it failed, which must not fail the command. */
  close(): Promise<string | null>
}

/** Opens a file for the first bytes of an output. */
export function openOutputFile(path: string, bytesMax: number): OutputFile {
  const stream = createWriteStream(path)
  const written = finished(stream).then(
    () => null,
    (cause: unknown) => `\n[the output was not kept in ${path}: ${String(cause)}]\n`,
  )
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

const CUT = '\n[the rest is left out]\n'
