import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** Reads a file that an agent may have put there; null for links, pipes, devices and files that are too large. */
export function readPlainFile(path: string, bytesMax: number): string | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(file)
      return stats.isFile() && stats.nlink === 1 && stats.size <= bytesMax ? readBytes(file, stats.size) : null
    } finally {
      closeSync(file)
    }
  } catch {
    return null // missing, or a link
  }
}

/** Reads no more than was there at first: the file may still grow. */
function readBytes(file: number, size: number): string {
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  for (let read = -1; read !== 0 && length < size; length += read)
    read = readSync(file, bytes, length, size - length, null)
  return bytes.toString('utf8', 0, length)
}
