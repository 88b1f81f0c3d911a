import type { z } from 'zod'

/** A schema inside a map or a list. */
export function schemaInside(schema: z.core.$ZodType | undefined, key: PropertyKey): z.core.$ZodType | undefined {
  const def = unwrapped(schema)
  if (def?.type === 'array') return def.element
  if (def?.type === 'record') return def.valueType
  return def?.type === 'object' ? def.shape[String(key)] : undefined
}

/** The keys of a map and their schemas; none for everything else. */
export function shapeOf(schema: z.core.$ZodType | undefined): z.core.$ZodShape {
  const def = unwrapped(schema)
  return def?.type === 'object' ? def.shape : {}
}

/** The keys that a map may have; none where they are the reader's own choice. */
export function keysOf(schema: z.core.$ZodType | undefined): readonly string[] {
  const def = unwrapped(schema)
  const keys = def?.type === 'record' ? unwrapped(def.keyType) : undefined
  return keys?.type === 'enum' ? Object.keys(keys.entries) : Object.keys(shapeOf(schema))
}

/** What a schema is behind its defaults and the like. */
export function unwrapped(schema: z.core.$ZodType | undefined): z.core.$ZodTypes['_zod']['def'] | undefined {
  const def = defOf(schema)
  return def !== undefined && 'innerType' in def ? unwrapped(def.innerType) : def
}

/** Whether a schema, or one behind it, is of a kind. */
export function isOfKind(schema: z.core.$ZodType | undefined, kind: string): boolean {
  const def = defOf(schema)
  if (def === undefined) return false
  return def.type === kind || ('innerType' in def && isOfKind(def.innerType, kind))
}

/** What is said of a schema, or of one behind it. */
export function descriptionOf(schema: z.core.$ZodType | undefined): string | null {
  const def = defOf(schema)
  if (def === undefined) return null
  const own = (schema as z.ZodType).description
  return own ?? ('innerType' in def ? descriptionOf(def.innerType) : null)
}

function defOf(schema: z.core.$ZodType | undefined): z.core.$ZodTypes['_zod']['def'] | undefined {
  return (schema as z.core.$ZodTypes | undefined)?._zod.def
}
