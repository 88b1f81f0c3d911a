import { z } from 'zod'
import { parseReset, type Reset } from '../core/limits/reset-time.ts'

/** How something with a naming key is written in a script or a scenario. */
export interface Form<T> {
  readonly schema: z.ZodType<T>
  /** The keys it knows, or those of the map under one of its keys. */
  keys(under: PropertyKey | undefined): readonly string[]
}

/** A form of these keys and no others, and what is meant by it. */
export function form<T, Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  toValue: (written: z.infer<z.ZodObject<Shape, z.core.$strict>>) => T,
): Form<T> {
  return {
    schema: z.strictObject(shape).transform(toValue),
    keys(under) {
      const inner = under === undefined ? null : shape[String(under)]
      return Object.keys(inner instanceof z.ZodObject ? inner.shape : shape)
    },
  }
}

/** Text that says something. */
export function someText() {
  return z.string('text').min(1, 'text that is not empty')
}

/** One of a few words. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `one of ${values.join(', ')}`)
}

/** A stretch of time, up to a limit. */
export function seconds(max: number) {
  return z.number('a number of seconds').nonnegative('0 or more').max(max, `${max} seconds or less`)
}

/** When a usage limit is over. */
export function resetTime() {
  return z.unknown().transform((written, context): Reset => {
    const reset = parseReset(written)
    if (reset !== null) return reset
    context.issues.push({ code: 'custom', message: 'an ISO time, epoch seconds or "+SECONDS"', input: written })
    return z.NEVER
  })
}
