import { nearestName } from './nearest-name.ts'

/** Keys and positions that lead to a place in a file. */
export type Path = readonly PropertyKey[]

/** Complaint of a schema; the message completes "must be …". */
export interface SchemaIssue {
  readonly code: string
  readonly path: Path
  readonly message: string
  /** Unknown keys. */
  readonly keys?: readonly string[]
  /** Allowed values. */
  readonly values?: readonly unknown[]
  /** For rules between keys: a hint, and the default that applied where the key is missing. */
  readonly params?: { readonly hint?: unknown; readonly byDefault?: unknown } | undefined
}

/** Fault in a file in words, with its path. */
export interface Fault {
  readonly path: Path
  readonly at: 'key' | 'value'
  readonly message: string
  readonly hint: string
}

/** Names and known keys of the places in one kind of file. */
export interface PlaceNames {
  nameOf(path: Path): string
  keysAt(path: Path): readonly string[]
  /** Returns a valid value, or undefined when there is no example. */
  exampleAt?(path: Path): unknown
}

/** Describes a schema's complaints about a value: expected, got, and what to write. */
export function schemaFaults(issues: readonly SchemaIssue[], value: unknown, names: PlaceNames): readonly Fault[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return (issue.keys ?? []).map((key) => unknownKey(issue.path, key, names))
    if (issue.code === 'invalid_key') return [wrongKey(issue, names)]
    return [wrongValue(issue, valueAt(value, issue.path), names)]
  })
}

/** Returns a value as messages show it. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cut(value))
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a map of keys' : String(value)
}

function unknownKey(path: Path, key: string, names: PlaceNames): Fault {
  const known = names.keysAt(path)
  const nearest = nearestName(key, known)
  const where = path.length === 0 && names.nameOf(path) === '' ? '' : ` in ${names.nameOf(path)}`
  return {
    path: [...path, key],
    at: 'key',
    message: `unknown key ${valueText(key)}${where}.`,
    hint: nearest === null ? `Known keys: ${known.join(', ')}.` : `Write "${nearest}" instead.`,
  }
}

function wrongKey({ path, message }: SchemaIssue, names: PlaceNames): Fault {
  const key = valueText(path.at(-1))
  const where = names.nameOf(path.slice(0, -1))
  return { path, at: 'key', message: `key ${key} in ${where} must be ${message}.`, hint: 'Rename the key.' }
}

function wrongValue(issue: SchemaIssue, got: unknown, names: PlaceNames): Fault {
  const hint =
    ownHint(issue) ?? (got === undefined ? `Add the key "${String(issue.path.at(-1))}".` : hintFor(issue, got, names))
  return { path: issue.path, at: 'value', message: complaint(issue, got, names.nameOf(issue.path)), hint }
}

function complaint(issue: SchemaIssue, got: unknown, name: string): string {
  const byDefault = issue.params?.byDefault
  if (got !== undefined) return `${name} must be ${issue.message}; got ${valueText(got)}.`
  if (byDefault !== undefined) return `${name} must be ${issue.message}; its default is ${valueText(byDefault)}.`
  return `${name} is missing; it must be ${issue.message}.`
}

function ownHint(issue: SchemaIssue): string | null {
  return typeof issue.params?.hint === 'string' ? issue.params.hint : null
}

function hintFor(issue: SchemaIssue, got: unknown, names: PlaceNames): string {
  const choices = (issue.values ?? []).filter((value): value is string => typeof value === 'string')
  const nearest = typeof got === 'string' ? nearestName(got, choices) : null
  if (nearest !== null) return `Write "${nearest}" instead.`
  const wantsText = /^text\b/.test(issue.message)
  if (wantsText && (typeof got === 'number' || typeof got === 'boolean')) return `Put it in quotes: "${got}".`
  const wantsList = /^a list\b/.test(issue.message)
  if (wantsList && typeof got === 'string') return `Write it as a list: [${valueText(got)}].`
  const example = names.exampleAt?.(issue.path)
  return example === undefined ? '' : `For example: ${String(issue.path.at(-1))}: ${exampleText(example)}`
}

function exampleText(example: unknown): string {
  if (typeof example !== 'string') return JSON.stringify(example)
  return /^[\w.$/-]+$/.test(example) ? example : JSON.stringify(example)
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value)
}

const SHOWN_LENGTH_MAX = 60

function cut(text: string): string {
  return text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX - 1)}…`
}

/** Part of a file that has a separate schema. */
export interface FilePart {
  readonly path: Path
  readonly name: string
  /** Returns its known keys, or those of the map under one of its keys. */
  keys(under: PropertyKey | undefined): readonly string[]
}

/** Interface of a schema library, as far as parts need it. */
interface Schema<T> {
  safeParse(
    written: unknown,
  ): { success: true; data: T } | { success: false; error: { readonly issues: readonly SchemaIssue[] } }
}

/** Returns the part's value, or null after adding its faults to the list. */
export function checkPart<T>(schema: Schema<T>, written: unknown, part: FilePart, faults: Fault[]): T | null {
  const checked = schema.safeParse(written)
  if (checked.success) return checked.data
  const partFaults = schemaFaults(checked.error.issues, written, {
    nameOf: (path) => (path.length === 0 ? part.name : `"${path.join('.')}" of ${part.name}`),
    keysAt: (path) => part.keys(path[0]),
  })
  faults.push(...partFaults.map((fault) => ({ ...fault, path: [...part.path, ...fault.path] })))
  return null
}
