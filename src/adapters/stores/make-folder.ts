import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a folder and its missing parents one at a time: Node's recursive mkdir never returns where none can be created. */
export async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = []
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at)
  for (const one of missing) await mkdir(one)
}
