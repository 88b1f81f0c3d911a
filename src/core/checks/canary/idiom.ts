/** File of the checked commit, next to which something can be planted. */
export interface NearbyFile {
  readonly path: string
  readonly text: string
}

/** Failure to plant: a file with its new text, and the word by which its failure is recognised. */
export interface Plant {
  readonly path: string
  readonly text: string
  readonly marker: string
}

/** Idiom of one kind of program. */
export interface Idiom {
  /** True for files that the program reads or runs. */
  readonly takes: (path: string) => boolean
  /** Files that it also takes in folders and globs that its command names, or null. */
  readonly takesNamed: RegExp | null
  /** Makes a new file beside a neighbour, or null where only a changed neighbour works. */
  readonly fresh: ((beside: NearbyFile, marker: string) => Plant) | null
  /** Makes the neighbour itself fail, or null where only a new file works. */
  readonly extended: ((neighbour: NearbyFile, marker: string) => Plant) | null
}
