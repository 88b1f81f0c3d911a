import { z } from 'zod'
import { parseReset, type Reset } from '../core/reading/reset-time.ts'
import type { Act, Trouble } from './scenario.ts'

/** How something with a naming key is written in a scenario. */
export interface Form<T> {
  readonly schema: z.ZodType<T>
  /** The keys it knows, or those of the map under one of its keys. */
  keys(under: PropertyKey | undefined): readonly string[]
}

/** The forms of all acts, by the key that names them. */
export const ACT_FORMS: ReadonlyMap<string, Form<Act>> = new Map(Object.entries(actForms()))

/** The forms of all troubles, by the key that names them. */
export const TROUBLE_FORMS: ReadonlyMap<string, Form<Trouble>> = new Map(Object.entries(troubleForms()))

/** What an answer says that it used; what is left out is 0. */
export const usageSchema = z.strictObject(usageShape(), 'a map of keys')

/** A whole number from 1 on. */
export const ordinal = z.int('a whole number').min(1, '1 or more')

function actForms(): Record<Act['kind'], Form<Act>> {
  return {
    say: form({ say: z.string('text') }, ({ say }) => ({ kind: 'say', text: say })),
    write: form({ write: z.strictObject({ path: someText(), text: z.string('text') }, 'a map of keys') }, (step) => {
      return { kind: 'write', ...step.write }
    }),
    edit: form({ edit: z.strictObject(editShape(), 'a map of keys') }, ({ edit }) => ({ kind: 'edit', ...edit })),
    run: form({ run: someText() }, ({ run }) => ({ kind: 'run', command: run })),
    call: form({ call: someText(), input: z.record(z.string(), z.unknown(), 'a map of keys').default({}) }, (step) => {
      return { kind: 'call', tool: step.call, input: step.input }
    }),
    report: form({ report: oneOf(['done', 'blocked', 'continue']), reason: z.string('text').default('') }, (step) => {
      return { kind: 'report', claim: step.report, reason: step.reason }
    }),
  }
}

function editShape() {
  return { path: someText(), old: someText(), new: z.string('text') }
}

function troubleForms(): Record<string, Form<Trouble>> {
  return {
    status: form({ status: status(), retryAfter: seconds().optional(), message: someText().optional() }, (written) => {
      const { retryAfter = null, message = null } = written
      return { kind: 'status', status: written.status, retryAfterS: retryAfter, message }
    }),
    limit: form({ limit: resetTime() }, ({ limit }) => ({ kind: 'limit', reset: limit })),
    slow: form({ slow: seconds() }, ({ slow }) => ({ kind: 'slow', chunkMs: slow * 1000 })),
    cut: form({ cut: yes() }, () => ({ kind: 'cut' })),
    silent: form({ silent: yes() }, () => ({ kind: 'silent' })),
    tooLong: form({ tooLong: yes() }, () => ({ kind: 'too-long' })),
    refuse: form({ refuse: yes() }, () => ({ kind: 'refuse' })),
  }
}

function form<T, Shape extends z.core.$ZodLooseShape>(
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

function someText() {
  return z.string('text').min(1, 'text that is not empty')
}

function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `one of ${values.join(', ')}`)
}

function yes() {
  return z.literal(true, 'true')
}

function status() {
  const said = 'a status of 400 to 599'
  return z.int(said).min(400, said).max(599, said)
}

function usageShape() {
  const tokens = z.int('a whole number').nonnegative('0 or more').default(0)
  return { input: tokens, cacheRead: tokens, cacheWrite: tokens, output: tokens }
}

function seconds() {
  return z.number('a number of seconds').nonnegative('0 or more').max(100_000, '100000 seconds or less')
}

function resetTime() {
  return z.unknown().transform((written, context): Reset => {
    const reset = parseReset(written)
    if (reset !== null) return reset
    context.issues.push({ code: 'custom', message: 'an ISO time, epoch seconds or "+SECONDS"', input: written })
    return z.NEVER
  })
}
