import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSource, type Source } from './parse-source.ts'

/** Root folder of the repository. */
export const root = join(import.meta.dirname, '../..')

/** Parses every TypeScript file under the folders. */
export function readSources(...folders: string[]): Source[] {
  const paths = folders.flatMap(filesUnder).filter((path) => path.endsWith('.ts'))
  return paths.map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')))
}

/** Parses the program without the tests beside it. */
export function readProgram(): Source[] {
  return readSources('src').filter(({ path }) => !isTest(path))
}

/** Lists all files under a folder as paths from the root; none when it does not exist. */
export function filesUnder(folder: string): string[] {
  const start = join(root, folder)
  return readdirSync(root).includes(folder)
    ? readdirSync(start, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => posix.join(folder, entry.parentPath.slice(start.length), entry.name))
        .sort()
    : []
}

/** True for test files. */
export function isTest(path: string): boolean {
  return path.endsWith('.test.ts')
}
