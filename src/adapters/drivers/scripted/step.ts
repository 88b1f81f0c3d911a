import { z } from 'zod'
import type { Reset } from '../../../core/limits/reset-time.ts'
import { AGENT_ENDS, type AgentEndKind } from '../../../core/model/round.ts'
import type { Tokens } from '../../../core/model/usage.ts'
import { nonEmptyText, oneOf, resetTime, type StepForm, seconds, stepForm } from '../../../forms/step-form.ts'

/** Step of a script. */
export type ScriptStep =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'usage'; readonly tokens: Tokens; readonly window: number | null }
  | { readonly kind: 'report'; readonly claim: 'done' | 'blocked' | 'continue'; readonly reason: string }
  | { readonly kind: 'end'; readonly as: AgentEndKind; readonly reset: Reset | null }
  /** Note for a hand-over in this round; its place among the steps does not matter. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'hang' }

// Above this, a timer of Node fires immediately.
const SECONDS_MAX = 1_000_000

/** Forms of all steps by the key that names them. */
export const STEP_FORMS: ReadonlyMap<string, StepForm<ScriptStep>> = new Map(Object.entries(stepForms()))

function stepForms(): Record<ScriptStep['kind'], StepForm<ScriptStep>> {
  return {
    say: stepForm({ say: z.string('text') }, ({ say }) => ({ kind: 'say', text: say })),
    write: stepForm(
      { write: z.strictObject({ path: nonEmptyText(), text: z.string('text') }, 'a map of keys') },
      (step) => {
        return { kind: 'write', ...step.write }
      },
    ),
    delete: stepForm({ delete: nonEmptyText() }, (step) => ({ kind: 'delete', path: step.delete })),
    run: stepForm({ run: nonEmptyText() }, ({ run }) => ({ kind: 'run', command: run })),
    wait: stepForm({ wait: seconds(SECONDS_MAX) }, ({ wait }) => ({ kind: 'wait', ms: wait * 1000 })),
    usage: stepForm({ usage: usage() }, ({ usage: { window, ...tokens } }) => {
      return { kind: 'usage', tokens, window: window ?? null }
    }),
    report: stepForm(
      { report: oneOf(['done', 'blocked', 'continue']), reason: z.string('text').default('') },
      (step) => {
        return { kind: 'report', claim: step.report, reason: step.reason }
      },
    ),
    end: stepForm({ end: oneOf(AGENT_ENDS), resetAt: resetTime().optional() }, (step) => {
      return { kind: 'end', as: step.end, reset: step.resetAt ?? null }
    }),
    note: stepForm({ note: z.string('text') }, ({ note }) => ({ kind: 'note', text: note })),
    hang: stepForm({ hang: z.literal(true, 'true') }, () => ({ kind: 'hang' })),
  }
}

function usage() {
  const count = z.int('a whole number').nonnegative('0 or more')
  const tokens = count.default(0)
  const counts = { input: tokens, cacheRead: tokens, cacheWrite: tokens, output: tokens, window: count.optional() }
  return z.strictObject(counts, 'a map of keys')
}
