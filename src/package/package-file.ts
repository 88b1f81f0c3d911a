import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where a file of our own package lies, for code that runs bundled (dist), from the sources or in a tool (dist-tools). */
export function packageFile(path: string): string {
  root ??= findRoot(dirname(fileURLToPath(import.meta.url)))
  return join(root, path)
}

let root: string | null = null

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}
