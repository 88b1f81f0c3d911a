import type { z } from 'zod'
import { inFull } from './in-full.ts'
import { KEY_GUIDE } from './key-guide.ts'
import { isMap, type Values } from './layers.ts'
import { type Override, overrideOf } from './overrides.ts'
import { settingsSchema } from './schema.ts'
import { descriptionOf, isOfKind, shapeOf, unwrapped } from './schema-walk.ts'

/** Everything known about one settings key. */
export interface KeyNote {
  /** Full name; keys inside a list have "[]" in it. */
  readonly key: string
  readonly about: string
  /** Description of valid values, as in "must be …". */
  readonly expected: string
  /** Undefined when it has no default and must be written. */
  readonly byDefault: unknown
  readonly example: unknown
  /** Part of Longhaul that acts on the key, or null when none does yet. */
  readonly usedBy: string | null
  readonly override: Override | null
}

/** A key that contains other keys. */
export interface SectionNote {
  readonly key: string
  readonly about: string
  readonly keys: readonly KeyNote[]
}

/** Returns notes on all keys, in the order of the schema. */
export function keyNotes(): readonly KeyNote[] {
  return notesUnder(settingsSchema, '')
}

/** Returns notes on a key or section, or null when the name is unknown. */
export function noteOn(name: string): KeyNote | SectionNote | null {
  const wanted = plain(name)
  const notes = keyNotes()
  const one = notes.find(({ key }) => plain(key) === wanted)
  if (one !== undefined) return one
  const inside = notes.filter(({ key }) => plain(key).startsWith(`${wanted}.`))
  const schema = wanted
    .split('.')
    .reduce<z.core.$ZodType | undefined>((at, key) => shapeOf(itemOf(at))[key], settingsSchema)
  return inside.length === 0 ? null : { key: wanted, about: descriptionOf(schema) ?? '', keys: inside }
}

const DEFAULTS: Values = inFull(settingsSchema.parse({}))

function notesUnder(schema: z.core.$ZodType, prefix: string): readonly KeyNote[] {
  return Object.entries(shapeOf(schema)).flatMap(([name, inner]) => {
    const key = prefix === '' ? name : `${prefix}.${name}`
    const isList = unwrapped(inner)?.type === 'array'
    const item = itemOf(inner)
    const inside = hasKeysOfAnother(inner) ? [] : notesUnder(item, isList ? `${key}[]` : key)
    const isAll = inside.length > 0 && !isList
    return isAll ? inside : [noteOf(key, inner), ...inside]
  })
}

/** True for roles, whose keys are those of the agent and documented there. */
function hasKeysOfAnother(schema: z.core.$ZodType): boolean {
  return isOfKind(schema, 'optional') && unwrapped(schema)?.type === 'object'
}

function itemOf(schema: z.core.$ZodType | undefined): z.core.$ZodType {
  const def = unwrapped(schema)
  return def?.type === 'array' ? def.element : (schema as z.core.$ZodType)
}

function noteOf(key: string, schema: z.core.$ZodType): KeyNote {
  const { example, usedBy } = KEY_GUIDE[key] ?? { example: null, usedBy: null }
  return {
    key,
    example,
    usedBy,
    about: descriptionOf(schema) ?? '',
    expected: expectedOf(schema as z.ZodType),
    byDefault: defaultOf(key, schema as z.ZodType),
    override: overrideOf(key),
  }
}

/** Describes valid values: the schema's error for a value that no key accepts. */
function expectedOf(schema: z.ZodType): string {
  const wanted = schema.safeParse(Symbol('nothing')).error?.issues[0]?.message ?? ''
  return isOfKind(schema, 'nullable') && !wanted.includes('null') ? `${wanted}, or null` : wanted
}

function defaultOf(key: string, schema: z.ZodType): unknown {
  const own = schema.safeParse(undefined)
  if (!own.success) return undefined
  return key.split('.').reduce<unknown>((at, name) => (isMap(at) ? at[name] : undefined), DEFAULTS) ?? own.data ?? null
}

function plain(key: string): string {
  return key.replaceAll(/\[\d*\]/g, '')
}
