import { parseJson } from './json-text.ts'
import { folderOf, foldersUp, joined } from './paths.ts'

/** Files of one commit: ids of all contents, and those texts that were read so far. */
export class Snapshot {
  readonly #files: ReadonlyMap<string, string>
  readonly #texts = new Map<string, string>()
  readonly #wanted = new Set<string>()
  #folders: ReadonlySet<string> | null = null
  #sorted: readonly string[] | null = null
  readonly #parsed = new Map<string, unknown>()
  readonly #matching = new Map<string, readonly string[]>()

  /** Takes the ids of contents by path; those of links start with "link:". */
  constructor(files: ReadonlyMap<string, string>) {
    this.#files = files
  }

  /** Files that exist and were asked for, and whose texts are not known yet. */
  get wanted(): readonly string[] {
    return [...this.#wanted]
  }

  /** Takes texts of wanted files; a file without one cannot be read, and counts as empty. */
  learn(texts: ReadonlyMap<string, string>): void {
    for (const path of this.#wanted) this.#texts.set(path, texts.get(path) ?? '')
    this.#wanted.clear()
  }

  /** Parses a JSON text once; lock files are long, and asked for often. */
  json(text: string): unknown {
    const known = this.#parsed.get(text)
    if (known !== undefined) return known
    const value = parseJson(text)
    this.#parsed.set(text, value)
    return value
  }

  has(path: string): boolean {
    return this.#files.has(path)
  }

  /** True for a folder with files, except the root. */
  hasFolder(path: string): boolean {
    this.#folders ??= foldersIn(this.#files.keys())
    return path !== '' && this.#folders.has(path)
  }

  /** Returns the id of a file's content, or null when there is no such file. */
  id(path: string): string | null {
    return this.#files.get(path) ?? null
  }

  /** Returns a file's text, or null when it does not exist or is not known yet. */
  text(path: string): string | null {
    if (!this.has(path)) return null
    const text = this.#texts.get(path)
    if (text === undefined) this.#wanted.add(path)
    return text ?? null
  }

  /** Returns the files below a folder whose paths match. */
  matching(folder: string, path: RegExp): readonly string[] {
    const key = `${folder} ${path.source}`
    const matches = this.#matching.get(key) ?? this.#below(folder).filter((at) => path.test(at))
    this.#matching.set(key, matches)
    return matches
  }

  /** Returns the files below a folder, which stand side by side in sorted order. */
  #below(folder: string): readonly string[] {
    this.#sorted ??= [...this.#files.keys()].sort()
    if (folder === '') return this.#sorted
    return this.#sorted.slice(firstFrom(this.#sorted, `${folder}/`), firstFrom(this.#sorted, `${folder}${AFTER_SLASH}`))
  }

  /** Returns the link that a path leads through and the path behind it, or null when there is none. */
  linkOn(path: string): { readonly link: string; readonly path: string } | null {
    const link = foldersUp(path).find((at) => this.id(at)?.startsWith('link:') === true)
    const to = link === undefined ? null : this.text(link)
    if (link === undefined || to === null || to.startsWith('/')) return null
    return { link, path: joined(folderOf(link), `${to}${path.slice(link.length)}`) }
  }
}

const AFTER_SLASH = String.fromCharCode('/'.charCodeAt(0) + 1)

/** Returns the index of the first path in sorted order that is not before another. */
function firstFrom(sorted: readonly string[], path: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < path) low = middle + 1
    else high = middle
  }
  return low
}

function foldersIn(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const file of files) {
    for (let at = folderOf(file); at !== '' && !folders.has(at); at = folderOf(at)) folders.add(at)
  }
  return folders
}
