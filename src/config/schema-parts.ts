import { z } from 'zod'

// The error texts say what a value must be: "limits.parallel must be …; got …".

/** Any text but an empty one; NUL would end it for other programs. */
export function text() {
  return z
    .string({ error: 'text' })
    .regex(/\S/, { error: 'text that is not empty' })
    .refine((given) => !given.includes('\0'), { error: 'text without NUL' })
}

/** One of some words. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `one of ${words.join(', ')}` })
}

/** A whole number between two others. */
export function whole(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`
  return z.int({ error }).min(min, { error }).max(max, { error })
}

/** A number that is at least another. */
export function atLeast(min: number) {
  const error = `a number, ${min} or more`
  return z.number({ error }).min(min, { error })
}

/** US dollars; null: no limit. */
export function dollars() {
  const error = 'a number of dollars above 0, or null for no limit'
  return z.number({ error }).gt(0, { error }).nullable()
}

/** A share of a whole. */
export function share(max: number) {
  const error = `a share above 0, at most ${max}`
  return z.number({ error }).gt(0, { error }).max(max, { error })
}

// A timer of more than 2³¹ ms would go off at once.
const SECONDS_MAX = 2_000_000

/** A duration in seconds. */
export function seconds(min: number) {
  const error = `a number of seconds from ${min} to ${SECONDS_MAX}`
  return z.number({ error }).min(min, { error }).max(SECONDS_MAX, { error })
}

/** A list, or its default where it is left out. */
export function list<Item extends z.ZodType>(item: Item, of: string) {
  return z.array(item, { error: `a list of ${of}` })
}

/** A map with these keys and no others. */
export function keys<Shape extends z.core.$ZodShape>(shape: Shape) {
  return z.strictObject(shape, { error: 'a map of keys' })
}

/** A map with keys of the reader's own choice. */
export function named<Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(key: Key, value: Value) {
  return z.record(key, value, {
    error: (issue) => (issue.code === 'invalid_key' ? issue.issues[0]?.message : 'a map of keys'),
  })
}
