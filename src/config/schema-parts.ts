import { z } from 'zod'

// Error texts complete the sentence "limits.parallel must be …; got …".

/** Text that is not empty; NUL is refused because it would end the text for other programs. */
export function text() {
  return z
    .string({ error: 'text' })
    .regex(/\S/, { error: 'text that is not empty' })
    .refine((value) => !value.includes('\0'), { error: 'text without NUL' })
}

/** One-of schema for words. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `one of ${words.join(', ')}` })
}

/** Whole number in a range. */
export function whole(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`
  return z.int({ error }).min(min, { error }).max(max, { error })
}

/** Number with a minimum. */
export function atLeast(min: number) {
  const error = `a number, ${min} or more`
  return z.number({ error }).min(min, { error })
}

/** US dollars, or null for no limit. */
export function dollars() {
  const error = 'a number of dollars above 0, or null for no limit'
  return z.number({ error }).gt(0, { error }).nullable()
}

/** Share of a whole. */
export function share(max: number) {
  const error = `a share above 0, at most ${max}`
  return z.number({ error }).gt(0, { error }).max(max, { error })
}

// A timer of more than 2³¹ ms fires immediately.
const SECONDS_MAX = 2_000_000

/** Duration in seconds. */
export function seconds(min: number) {
  const error = `a number of seconds from ${min} to ${SECONDS_MAX}`
  return z.number({ error }).min(min, { error }).max(SECONDS_MAX, { error })
}

/** List of items. */
export function list<Item extends z.ZodType>(item: Item, of: string) {
  return z.array(item, { error: `a list of ${of}` })
}

/** Map with these keys and no others. */
export function keys<Shape extends z.core.$ZodShape>(shape: Shape) {
  return z.strictObject(shape, { error: 'a map of keys' })
}

/** Map with keys of the user's choice. */
export function named<Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(key: Key, value: Value) {
  return z.record(key, value, {
    error: (issue) => (issue.code === 'invalid_key' ? issue.issues[0]?.message : 'a map of keys'),
  })
}
