/** An object of JSON from another program. */
export type LooseObject = Readonly<Record<string, unknown>>

/** Parses JSON; null when it is none, or no object. */
export function parseObject(text: string): LooseObject | null {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return null // cut off, nested too deeply, or no JSON
  }
}

/** Returns a value when it is an object, or else null. */
export function asObject(value: unknown): LooseObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LooseObject) : null
}

/** Returns the objects of a list; none when the value is no list. */
export function objectsIn(value: unknown): readonly LooseObject[] {
  return Array.isArray(value) ? value.filter((item): item is LooseObject => asObject(item) !== null) : []
}

/** Returns the texts of a list; none when the value is no list. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Returns a value when it is text, or else ''. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns a value when it is a line number, or else null. */
export function asLine(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null
}
