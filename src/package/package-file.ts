import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Returns the path of a file of this package, for code bundled in dist or dist-tools and for the sources. */
export function packageFile(path: string): string {
  root ??= findRoot(dirname(fileURLToPath(import.meta.url)))
  return join(root, path)
}

let root: string | null = null

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}
