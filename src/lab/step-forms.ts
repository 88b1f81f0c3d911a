import { z } from 'zod'
import { type Form, form, oneOf, resetTime, seconds, someText } from '../forms/step-form.ts'
import type { Act, Trouble } from './scenario.ts'

const SECONDS_MAX = 100_000

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
    answer: form({ answer: z.record(z.string(), z.unknown(), 'a map of keys') }, ({ answer }) => {
      return { kind: 'answer', form: answer }
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
    status: form(
      { status: status(), retryAfter: seconds(SECONDS_MAX).optional(), message: someText().optional() },
      (written) => {
        const { retryAfter = null, message = null } = written
        return { kind: 'status', status: written.status, retryAfterS: retryAfter, message }
      },
    ),
    limit: form({ limit: resetTime() }, ({ limit }) => ({ kind: 'limit', reset: limit })),
    slow: form({ slow: seconds(SECONDS_MAX) }, ({ slow }) => ({ kind: 'slow', chunkMs: slow * 1000 })),
    cut: form({ cut: yes() }, () => ({ kind: 'cut' })),
    silent: form({ silent: yes() }, () => ({ kind: 'silent' })),
    tooLong: form({ tooLong: yes() }, () => ({ kind: 'too-long' })),
    refuse: form({ refuse: yes() }, () => ({ kind: 'refuse' })),
    truncate: form({ truncate: yes() }, () => ({ kind: 'truncate' })),
  }
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
  const hourCacheWrite = z.int('a whole number').nonnegative('0 or more').optional()
  return { input: tokens, cacheRead: tokens, cacheWrite: tokens, hourCacheWrite, output: tokens }
}
