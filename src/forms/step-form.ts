import { z } from 'zod'
import { parseReset, type Reset } from '../core/limits/reset-time.ts'

/** Form of a step in a script or a scenario, chosen by its key. */
export interface StepForm<T> {
  readonly schema: z.ZodType<T>
  /** Returns the known keys, or those of the map under one of them. */
  keys(under: PropertyKey | undefined): readonly string[]
}

/** Makes a form that allows exactly these keys. */
export function stepForm<T, Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  toValue: (written: z.infer<z.ZodObject<Shape, z.core.$strict>>) => T,
): StepForm<T> {
  return {
    schema: z.strictObject(shape).transform(toValue),
    keys(under) {
      const inner = under === undefined ? null : shape[String(under)]
      return Object.keys(inner instanceof z.ZodObject ? inner.shape : shape)
    },
  }
}

/** Text that is not empty. */
export function nonEmptyText() {
  return z.string('text').min(1, 'text that is not empty')
}

/** Value from a fixed list. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `one of ${values.join(', ')}`)
}

/** Duration in seconds, up to a limit. */
export function seconds(max: number) {
  return z.number('a number of seconds').nonnegative('0 or more').max(max, `${max} seconds or less`)
}

/** End of a usage limit. */
export function resetTime() {
  return z.unknown().transform((written, context): Reset => {
    const reset = parseReset(written)
    if (reset !== null) return reset
    context.issues.push({ code: 'custom', message: 'an ISO time, epoch seconds or "+SECONDS"', input: written })
    return z.NEVER
  })
}
