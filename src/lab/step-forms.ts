import { z } from 'zod'
import { nonEmptyText, oneOf, resetTime, type StepForm, seconds, stepForm } from '../forms/step-form.ts'
import type { Act, ModelFault } from './scenario.ts'

const SECONDS_MAX = 100_000

/** Forms of all acts by the key that names them. */
export const ACT_FORMS: ReadonlyMap<string, StepForm<Act>> = new Map(Object.entries(actForms()))

/** Forms of all faults by the key that names them. */
export const FAULT_FORMS: ReadonlyMap<string, StepForm<ModelFault>> = new Map(Object.entries(faultForms()))

/** Usage of an answer; missing counts are 0. */
export const usageSchema = z.strictObject(usageShape(), 'a map of keys')

/** Whole number of at least 1. */
export const ordinal = z.int('a whole number').min(1, '1 or more')

function actForms(): Record<Act['kind'], StepForm<Act>> {
  return {
    say: stepForm({ say: z.string('text') }, ({ say }) => ({ kind: 'say', text: say })),
    write: stepForm(
      { write: z.strictObject({ path: nonEmptyText(), text: z.string('text') }, 'a map of keys') },
      (step) => {
        return { kind: 'write', ...step.write }
      },
    ),
    edit: stepForm({ edit: z.strictObject(editShape(), 'a map of keys') }, ({ edit }) => ({ kind: 'edit', ...edit })),
    run: stepForm({ run: nonEmptyText() }, ({ run }) => ({ kind: 'run', command: run })),
    call: stepForm(
      { call: nonEmptyText(), input: z.record(z.string(), z.unknown(), 'a map of keys').default({}) },
      (step) => {
        return { kind: 'call', tool: step.call, input: step.input }
      },
    ),
    answer: stepForm({ answer: z.record(z.string(), z.unknown(), 'a map of keys') }, ({ answer }) => {
      return { kind: 'answer', form: answer }
    }),
    report: stepForm(
      { report: oneOf(['done', 'blocked', 'continue']), reason: z.string('text').default('') },
      (step) => {
        return { kind: 'report', claim: step.report, reason: step.reason }
      },
    ),
  }
}

function editShape() {
  return { path: nonEmptyText(), old: nonEmptyText(), new: z.string('text') }
}

function faultForms(): Record<string, StepForm<ModelFault>> {
  return {
    status: stepForm(
      { status: status(), retryAfter: seconds(SECONDS_MAX).optional(), message: nonEmptyText().optional() },
      (written) => {
        const { retryAfter = null, message = null } = written
        return { kind: 'status', status: written.status, retryAfterS: retryAfter, message }
      },
    ),
    limit: stepForm({ limit: resetTime() }, ({ limit }) => ({ kind: 'limit', reset: limit })),
    slow: stepForm({ slow: seconds(SECONDS_MAX) }, ({ slow }) => ({ kind: 'slow', chunkMs: slow * 1000 })),
    cut: stepForm({ cut: yes() }, () => ({ kind: 'cut' })),
    silent: stepForm({ silent: yes() }, () => ({ kind: 'silent' })),
    tooLong: stepForm({ tooLong: yes() }, () => ({ kind: 'too-long' })),
    refuse: stepForm({ refuse: yes() }, () => ({ kind: 'refuse' })),
    truncate: stepForm({ truncate: yes() }, () => ({ kind: 'truncate' })),
  }
}

function yes() {
  return z.literal(true, 'true')
}

function status() {
  const message = 'a status of 400 to 599'
  return z.int(message).min(400, message).max(599, message)
}

function usageShape() {
  const tokens = z.int('a whole number').nonnegative('0 or more').default(0)
  const hourCacheWrite = z.int('a whole number').nonnegative('0 or more').optional()
  return { input: tokens, cacheRead: tokens, cacheWrite: tokens, hourCacheWrite, output: tokens }
}
