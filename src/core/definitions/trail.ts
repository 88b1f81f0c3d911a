import type { CheckRunner } from './check-definition.ts'
import type { Extract, Place, PlaceUse } from './place.ts'
import type { Snapshot } from './snapshot.ts'

/** Position from which a command is followed. */
export interface Position {
  readonly folder: string
  /** Script file that the command stands in, or null. */
  readonly script: string | null
  /** Number of scripts that lead here. */
  readonly depth: number
  /** True where programs are looked up in node_modules/.bin first. */
  readonly isInPackage: boolean
}

/** Program that a command runs, without its wrappers. */
export interface Step extends Position {
  /** Name without folders. */
  readonly program: string
  /** Name as it is written. */
  readonly path: string
  readonly args: readonly string[]
  readonly input: string | null
}

/** Follows one program. */
export type Follower = (step: Step, trail: Trail) => void

/** Collects the places that a check consults and the runners that it comes to. */
export class Trail {
  readonly snapshot: Snapshot
  readonly #follow: (text: string, from: Position, trail: Trail) => void
  readonly #places = new Map<string, Place>()
  readonly #runners = new Map<string, CheckRunner>()
  readonly #excerpts = new Map<string, string | null>()
  readonly #visited = new Set<string>()

  constructor(snapshot: Snapshot, follow: (text: string, from: Position, trail: Trail) => void) {
    this.snapshot = snapshot
    this.#follow = follow
  }

  get places(): readonly Place[] {
    return [...this.#places.values()]
  }

  get runners(): readonly CheckRunner[] {
    return [...this.#runners.values()]
  }

  /** Follows a command that stands in a script, unless scripts nest too deeply. */
  follow(text: string, from: Position): void {
    if (from.depth >= DEPTH_MAX || !this.visit(`${from.folder}\n${from.script}\n${text}`)) return
    this.#follow(text, { ...from, depth: from.depth + 1 }, this)
  }

  /** True at the first visit of something. */
  visit(key: string): boolean {
    if (this.#visited.has(key) || this.#visited.size >= VISITS_MAX) return false
    this.#visited.add(key)
    return true
  }

  /** Adds a file, and the link that leads to it; returns its path behind links. */
  file(file: string, use: PlaceUse): string {
    const linked = this.#places.size > PLACES_MAX ? null : this.snapshot.linkOn(file)
    this.#add(`file ${linked?.link ?? file}`, { kind: 'file', file: linked?.link ?? file, ...use })
    return linked === null || linked.path === file ? file : this.file(linked.path, use)
  }

  /** Adds files of which the first that exists is used, and returns that one. */
  first(files: readonly string[], use: PlaceUse): string | null {
    this.#add(`first ${files.join(' ')}`, { kind: 'first', files, ...use })
    const existing = files.find((file) => this.snapshot.has(file))
    return existing === undefined ? null : this.file(existing, use)
  }

  /** Adds all files below a folder whose paths match, and returns them. */
  every(folder: string, path: RegExp, use: PlaceUse): readonly string[] {
    this.#add(`every ${folder} ${path.source}`, { kind: 'every', folder, path, ...use })
    return this.snapshot.matching(folder, path)
  }

  /** Adds an excerpt of a file, and returns its text. */
  excerpt(file: string, what: string, extract: Extract, use: PlaceUse): string | null {
    const name = `${what} in ${file}`
    this.#add(`excerpt ${name}`, { kind: 'excerpt', file, what: name, extract, ...use })
    const known = this.#excerpts.get(name)
    if (known !== undefined) return known
    const text = this.snapshot.text(file)
    const excerpt = text === null ? null : extract(text, this.snapshot)
    this.#excerpts.set(name, excerpt)
    return excerpt
  }

  runner(runner: CheckRunner): void {
    const key = JSON.stringify(runner)
    if (!this.#runners.has(key)) this.#runners.set(key, runner)
  }

  // A place that one command may fill freely is still guarded when another command depends on it.
  #add(key: string, place: Place): void {
    if (this.#places.get(key)?.ifNew !== 'finding') this.#places.set(key, place)
  }
}

const DEPTH_MAX = 8
const VISITS_MAX = 4000
const PLACES_MAX = 100_000
