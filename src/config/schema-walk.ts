import type { z } from 'zod'

/** Returns the schema of a key in a map, or of the items of a list. */
export function schemaInside(schema: z.core.$ZodType | undefined, key: PropertyKey): z.core.$ZodType | undefined {
  const def = unwrapped(schema)
  if (def?.type === 'array') return def.element
  if (def?.type === 'record') return def.valueType
  return def?.type === 'object' ? def.shape[String(key)] : undefined
}

/** Returns the keys of a map with their schemas; empty for other schemas. */
export function shapeOf(schema: z.core.$ZodType | undefined): z.core.$ZodShape {
  const def = unwrapped(schema)
  return def?.type === 'object' ? def.shape : {}
}

/** Returns the keys that a map may have; empty when the user chooses them. */
export function keysOf(schema: z.core.$ZodType | undefined): readonly string[] {
  const def = unwrapped(schema)
  const keys = def?.type === 'record' ? unwrapped(def.keyType) : undefined
  return keys?.type === 'enum' ? Object.keys(keys.entries) : Object.keys(shapeOf(schema))
}

/** Returns the definition of a schema without its defaults and other wrappers. */
export function unwrapped(schema: z.core.$ZodType | undefined): z.core.$ZodTypes['_zod']['def'] | undefined {
  const def = defOf(schema)
  return def !== undefined && 'innerType' in def ? unwrapped(def.innerType) : def
}

/** True when a schema, or one that it wraps, is of a kind. */
export function isOfKind(schema: z.core.$ZodType | undefined, kind: string): boolean {
  const def = defOf(schema)
  if (def === undefined) return false
  return def.type === kind || ('innerType' in def && isOfKind(def.innerType, kind))
}

/** Returns the description of a schema, or of one that it wraps. */
export function descriptionOf(schema: z.core.$ZodType | undefined): string | null {
  const def = defOf(schema)
  if (def === undefined) return null
  const own = (schema as z.ZodType).description
  return own ?? ('innerType' in def ? descriptionOf(def.innerType) : null)
}

function defOf(schema: z.core.$ZodType | undefined): z.core.$ZodTypes['_zod']['def'] | undefined {
  return (schema as z.core.$ZodTypes | undefined)?._zod.def
}
