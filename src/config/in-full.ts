import { ceilingsOf, delaysMaxOf, sandboxRequired, turnBoundsOf } from './dependent-defaults.ts'
import { isMap, type Values } from './layers.ts'
import { settingsPlaces } from './place-names.ts'
import type { WrittenSettings } from './schema.ts'

/** Writes out every key, defaults included, in the order of the schema; reading the result gives the same settings. */
export function inFull(written: WrittenSettings): Values {
  const delaysMax = delaysMaxOf(written.limits)
  const all = {
    ...written,
    turns: { ...written.turns, ...turnBoundsOf(written.turns) },
    limits: {
      ...written.limits,
      ...ceilingsOf(written.limits),
      error_delay_max: delaysMax.error,
      limit_delay_max: delaysMax.limit,
    },
    gates: written.gates ?? null,
    sandbox: { ...written.sandbox, required: sandboxRequired(written.sandbox) },
  }
  return inOrder(all, []) as Values
}

function inOrder(value: unknown, path: readonly PropertyKey[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => inOrder(item, [...path, index]))
  if (!isMap(value)) return value
  const known = settingsPlaces.keysAt(path)
  const names = known.length > 0 ? known.filter((name) => value[name] !== undefined) : Object.keys(value)
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name], [...path, name])]))
}
