import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a folder and what is missing above it, one at a time: Node's own way never ends where nothing can be made. */
export async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = []
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at)
  for (const one of missing) await mkdir(one)
}
