import { type Fault, type SchemaIssue, schemaFaults } from './schema-faults.ts'
import type { Path } from './syntax-place.ts'

/** A part of a file that has a schema of its own. */
export interface Part {
  readonly path: Path
  readonly name: string
  /** The keys it knows, or those of the map under one of its keys. */
  keys(under: PropertyKey | undefined): readonly string[]
}

/** What a schema library offers, as far as parts need it. */
interface Schema<T> {
  safeParse(
    written: unknown,
  ): { success: true; data: T } | { success: false; error: { readonly issues: readonly SchemaIssue[] } }
}

/** The part's value, or null with its faults put to the others. */
export function checkPart<T>(schema: Schema<T>, written: unknown, part: Part, faults: Fault[]): T | null {
  const checked = schema.safeParse(written)
  if (checked.success) return checked.data
  const found = schemaFaults(checked.error.issues, written, {
    nameOf: (path) => (path.length === 0 ? part.name : `"${path.join('.')}" of ${part.name}`),
    keysAt: (path) => part.keys(path[0]),
  })
  faults.push(...found.map((fault) => ({ ...fault, path: [...part.path, ...fault.path] })))
  return null
}
