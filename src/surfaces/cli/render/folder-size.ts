import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface FolderSize {
  readonly bytes: number
  /** True when not everything was counted. */
  readonly isPartial: boolean
}

const ENTRIES_MAX = 50_000

/** Measures a folder; of a very large one, only a part. */
export async function folderSize(folder: string): Promise<FolderSize> {
  const open = [folder]
  let bytes = 0
  let entries = 0
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    // Entries that vanish or cannot be read do not count.
    const children = await readdir(at, { withFileTypes: true }).catch(() => [])
    for (const entry of children) {
      const path = join(at, entry.name)
      if (entry.isDirectory()) open.push(path)
      else
        bytes += await lstat(path).then(
          ({ size }) => size,
          () => 0,
        )
    }
    entries += children.length
    if (entries > ENTRIES_MAX) return { bytes, isPartial: true }
  }
  return { bytes, isPartial: false }
}

/** Formats a size for people. */
export function sizeText({ bytes, isPartial }: FolderSize): string {
  const exponent = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** exponent
  return `${isPartial ? 'more than ' : ''}${value.toFixed(exponent === 0 ? 0 : 1)} ${UNITS[exponent]}`
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const
