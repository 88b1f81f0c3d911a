import type { TestOutputRead } from './test-output-read.ts'

/** Project that a check ran in, to find the files that its output names. */
export interface CheckedProject {
  /** Folders, relative to the root, that the check's command works in. */
  readonly folders: readonly string[]
  /** True when the root has this file. */
  readonly hasFile: (path: string) => boolean
  /** Returns the only file of this path in a package of the root, or null. */
  readonly findBelow: (path: string) => string | null
}

/** Makes the files of failures relative to the root; runners name them relative to a package, or by its import path. */
export function placeFailures(read: TestOutputRead, project: CheckedProject): TestOutputRead {
  const known = new Map<string, string>()
  const placed = (file: string | null): string | null => {
    if (file === null) return null
    const path = known.get(file) ?? findPath(file, project)
    known.set(file, path)
    return path
  }
  const inRoot = <F extends { readonly name: string; readonly file: string | null }>(failure: F): F => {
    const file = placed(failure.file)
    // A test file that could not be loaded has its path as its name.
    return { ...failure, file, name: file !== null && failure.name === failure.file ? file : failure.name }
  }
  const { failures, names } = read
  return { ...read, failures: failures.map(inRoot), names: { ...names, failed: names.failed.map(inRoot) } }
}

function findPath(file: string, { folders, hasFile, findBelow }: CheckedProject): string {
  const paths = [...folders.map((folder) => `${folder}/${file}`), file, ...withoutFirstFolders(file)]
  return paths.find(hasFile) ?? findBelow(file) ?? file
}

// A Go package is named by its module, whose path is not part of the tree.
function withoutFirstFolders(file: string): readonly string[] {
  const parts = file.split('/')
  return parts.slice(1).map((_, at) => parts.slice(at + 1).join('/'))
}

/** Returns the folders that a command names to work in: `cd web && npm test`, `npm --prefix web test`, `make -C web`. */
export function foldersOf(command: string): readonly string[] {
  return [...command.matchAll(FOLDER)].map(([, a, b, c]) =>
    (a ?? b ?? c ?? '').replace(/^\.\//, '').replace(/\/+$/, ''),
  )
}

const FOLDER = /(?:^|[\s;&|(])(?:cd|--prefix|-C|--dir|--cwd|--directory)[ =](?:'([^']+)'|"([^"$]+)"|([^\s;&|()'"$]+))/g
