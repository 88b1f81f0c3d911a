import type { z } from 'zod'
import type { PlaceNames } from '../core/reading/schema-faults.ts'
import { settingsSchema } from './schema.ts'

/** How the places of `longhaul.yaml` are called, and which keys each knows. */
export const settingsPlaces: PlaceNames = {
  nameOf: (path) =>
    path.reduce<string>((name, key) => {
      if (typeof key === 'number') return `${name}[${key}]`
      return name === '' ? String(key) : `${name}.${String(key)}`
    }, ''),
  keysAt: (path) => Object.keys(shapeOf(path.reduce(inside, settingsSchema))),
}

function inside(schema: z.core.$ZodType | undefined, key: PropertyKey): z.core.$ZodType | undefined {
  const def = unwrapped(schema)
  if (def?.type === 'array') return def.element
  if (def?.type === 'record') return def.valueType
  return def?.type === 'object' ? def.shape[String(key)] : undefined
}

function shapeOf(schema: z.core.$ZodType | undefined): z.core.$ZodShape {
  const def = unwrapped(schema)
  return def?.type === 'object' ? def.shape : {}
}

function unwrapped(schema: z.core.$ZodType | undefined): z.core.$ZodTypes['_zod']['def'] | undefined {
  const def = (schema as z.core.$ZodTypes | undefined)?._zod.def
  return def !== undefined && 'innerType' in def ? unwrapped(def.innerType) : def
}
