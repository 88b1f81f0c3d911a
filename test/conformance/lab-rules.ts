import type { RoundOrder } from '../../src/core/model/effect.ts'
import type { ScriptStep } from './driver.ts'

type LabStep = Readonly<Record<string, unknown>>

/** Translates a script into a lab scenario: each usage is one model call, and waiting is a command. */
export function labRules(steps: readonly ScriptStep[], noteRequest: string): { readonly rules: readonly object[] } {
  const note = steps.flatMap((step) => ('note' in step ? [step.note] : []))[0]
  const noted = note === undefined ? { say: 'nothing', fault: { tooLong: true } } : { say: note }
  const work = steps.filter((step) => !('note' in step))
  return {
    rules: [
      { match: noteRequest, steps: [noted] },
      { steps: work.flatMap((step, index) => labSteps(step, index, work)) },
    ],
  }
}

/** Returns the order's limits for ends that no model can cause. */
export function orderFor(steps: readonly ScriptStep[]): Partial<RoundOrder> {
  const kinds = steps.flatMap((step) => ('end' in step ? [step.end] : []))
  if (kinds.includes('max-turns')) return { turnsMax: 1 }
  return kinds.includes('budget') ? { budgetUsd: 0.000_001 } : {}
}

function labSteps(step: ScriptStep, index: number, all: readonly ScriptStep[]): readonly LabStep[] {
  if ('usage' in step) {
    const { window: _window, ...usage } = step.usage
    return [index === all.length - 1 ? { say: 'Done.', usage } : { run: 'true', usage }]
  }
  if ('wait' in step) return [{ run: `sleep ${step.wait}` }]
  if ('hang' in step) return [{ say: 'never', fault: { silent: true } }]
  // A tool call flushes earlier texts, so that they have arrived when the next call fails.
  if ('end' in step) return [{ run: 'true' }, ...endSteps(step)]
  return [('report' in step ? { say: claimText(step) } : step) as LabStep]
}

/** Writes a claim as text: after a scenario's own report step nothing could follow. */
function claimText({ report, reason = '' }: Extract<ScriptStep, { report: string }>): string {
  if (report === 'blocked') return `<phase_blocked>${reason}</phase_blocked>`
  return report === 'done' ? '<phase_complete>' : '<phase_continue>'
}

function endSteps(step: Extract<ScriptStep, { end: string }>): readonly LabStep[] {
  const failing = (fault: object): readonly LabStep[] => [{ say: 'never', fault }]
  switch (step.end) {
    case 'rate-limited':
      return failing(step.resetAt === undefined ? { status: 429, retryAfter: 90 } : { limit: step.resetAt })
    case 'overloaded':
      return failing({ status: 529, retryAfter: 90 })
    case 'auth':
      return failing({ status: 401 })
    case 'context-exhausted':
      return failing({ tooLong: true })
    case 'refused':
      return failing({ refuse: true })
    case 'truncated':
      return failing({ truncate: true })
    case 'config':
      return failing({ status: 404 })
    default:
      return []
  }
}
