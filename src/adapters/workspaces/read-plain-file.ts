import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** Reads a file that an agent may have put there; null for links, pipes, devices and files that are too large. */
export function readPlainFile(path: string, bytesMax: number): string | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(file)
      return stats.isFile() && stats.size <= bytesMax ? readFileSync(file, 'utf8') : null
    } finally {
      closeSync(file)
    }
  } catch {
    return null // missing, or a link
  }
}
