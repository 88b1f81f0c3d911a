import type { Snapshot } from './snapshot.ts'

/** Place in the repository that a check consults, occupied or not. */
export type Place = PlaceUse &
  (
    | { readonly kind: 'file'; readonly file: string }
    /** Files of which the first that exists is used. */
    | { readonly kind: 'first'; readonly files: readonly string[] }
    /** Files below a folder whose paths match. */
    | { readonly kind: 'every'; readonly folder: string; readonly path: RegExp }
    /** Excerpt of a file, like an entry of package.json. */
    | { readonly kind: 'excerpt'; readonly file: string; readonly what: string; readonly extract: Extract }
  )

/** Use that a check makes of a place. */
export interface PlaceUse {
  /** Program that reads it. */
  readonly reader: string
  /** Consequence of filling an empty place: a finding where that overrides what the check did before. */
  readonly ifNew: 'free' | 'finding'
  /** True where lines may be added, like tests to a script of tests. */
  readonly mayGrow?: boolean
}

/** Returns the part of a text that matters, or null when it has none. */
export type Extract = (text: string, snapshot: Snapshot) => string | null

/** Occupied place: its content is a text, or else the id of a file's content. */
export interface Occupied {
  readonly what: string
  readonly file: string
  readonly content: string
  readonly isText: boolean
}

/** Returns the files or excerpts at a place. */
export function occupiedAt(place: Place, snapshot: Snapshot): readonly Occupied[] {
  switch (place.kind) {
    case 'file':
      return fileAt(place.file, snapshot)
    case 'first':
      return fileAt(place.files.find((file) => snapshot.has(file)) ?? '', snapshot)
    case 'every':
      return snapshot.matching(place.folder, place.path).flatMap((path) => fileAt(path, snapshot))
    case 'excerpt': {
      const text = snapshot.text(place.file)
      const content = text === null ? null : place.extract(text, snapshot)
      return content === null ? [] : [{ what: place.what, file: place.file, content, isText: true }]
    }
  }
}

function fileAt(file: string, snapshot: Snapshot): readonly Occupied[] {
  const content = snapshot.id(file)
  return content === null ? [] : [{ what: file, file, content, isText: false }]
}
