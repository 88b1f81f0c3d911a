import type { Path, PlaceNames } from '../core/reading/schema-faults.ts'
import { KEY_GUIDE } from './key-guide.ts'
import { settingsSchema } from './schema.ts'
import { keysOf, schemaInside } from './schema-walk.ts'

/** Names of paths in `longhaul.yaml`, and the keys allowed at each. */
export const settingsPlaces: PlaceNames = {
  nameOf: (path) =>
    path.reduce<string>((name, key) => {
      if (typeof key === 'number') return `${name}[${key}]`
      return name === '' ? String(key) : `${name}.${String(key)}`
    }, ''),
  keysAt: (path) => keysOf(path.reduce(schemaInside, settingsSchema)),
  exampleAt: (path) => KEY_GUIDE[guideKey(path)]?.example,
}

function guideKey(path: Path): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[]`
    return name === '' ? String(key) : `${name}.${String(key)}`
  }, '')
}
