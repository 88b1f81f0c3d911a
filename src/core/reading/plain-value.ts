import type { Fault } from './schema-faults.ts'

/** What a YAML document holds. Aliases are only followed now: one without an anchor, or too many, is a fault. */
export function plainValue(document: { toJS(): unknown }, faults: Fault[]): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    faults.push({ path: [], at: 'value', message: String(cause), hint: 'Write the rules out.' })
    return null
  }
}
