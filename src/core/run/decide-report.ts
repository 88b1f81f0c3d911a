import { costUsd } from '../limits/prices.ts'
import type { RunEffect } from '../model/effect.ts'
import type { Commit, MilestoneId } from '../model/ids.ts'
import type { RunReport } from '../model/input.ts'
import type { JudgeUsage } from '../model/round.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Settings } from '../model/settings.ts'
import { addTotals, dayOf, NO_TOTALS, type Totals } from '../model/usage.ts'
import type { Verdict } from '../model/verdict.ts'
import { decideLandingReport } from './decide-landing-report.ts'
import { landingOf } from './queues.ts'
import { type RunState, settingsOf } from './state.ts'

/** Turns the report of a due effect into facts of the run. */
export function decideRunReport(
  state: RunState,
  effect: RunEffect,
  report: RunReport,
  at: number,
): readonly RunEvent[] {
  if (report.kind === 'held') return [{ kind: 'landing-held', reason: report.reason, hint: report.hint }]
  switch (effect.kind) {
    case 'open-line':
      return report.kind === 'line-open'
        ? [{ kind: 'line-opened', line: report.line, tree: report.tree, target: report.target }]
        : holdOnTrouble(report)
    case 'check-baseline':
      if (report.kind !== 'checked') return holdOnTrouble(report)
      return [{ kind: 'baseline-checked', commit: effect.commit, ...report.verdict }, ...holdOnDead(report.verdict)]
    case 'summarize-milestone':
      return summarized(state, effect.milestone, report, at)
    case 'prepare-candidate':
    case 'check-candidate':
    case 'advance-line':
      return decideLandingReport(state, landingOf(state, effect.landing), report)
    case 'follow-target':
      return decideTargetReport(state, effect.commit, report)
    case 'work-attempt':
    case 'tell-attempt':
      return []
  }
}

/** Holds landing after trouble with the landing line, until the user or a new engine tries again. */
function holdOnTrouble(report: RunReport): readonly RunEvent[] {
  if (report.kind !== 'trouble') return []
  return [{ kind: 'landing-held', reason: report.problem.message, hint: report.problem.hint }]
}

/** Holds everything while a check cannot fail: work would be paid for that nothing can prove. */
function holdOnDead({ receipts }: Verdict): readonly RunEvent[] {
  const dead = receipts.filter(({ canary }) => canary === 'dead').map(({ gate }) => gate)
  if (dead.length === 0) return []
  return [
    {
      kind: 'landing-held',
      reason: `The check ${dead.join(', ')} cannot fail: it passed with a failure planted in it.`,
      hint: 'Fix its command ("|| true" or a pipe may hide the exit code), or set "canary: never" for it in longhaul.yaml; then run "longhaul run" again.',
    },
  ]
}

/** Records a summary even when the judge failed, so that no milestone waits for one forever. */
function summarized(state: RunState, milestone: MilestoneId, report: RunReport, at: number): readonly RunEvent[] {
  if (report.kind === 'summarized') {
    const { summary, by, why, used } = report
    const totals = used.map((usage) => totalsOf(usage, settingsOf(state).prices, at)).reduce(addTotals, NO_TOTALS)
    return [{ kind: 'milestone-summarized', milestone, summary, by, why, totals }]
  }
  const why = report.kind === 'trouble' ? report.problem.message : 'no summary was returned'
  return [{ kind: 'milestone-summarized', milestone, summary: null, by: 'facts', why, totals: NO_TOTALS }]
}

/** Returns the usage of a judge's call; a call does not count as a turn. */
function totalsOf({ model, tokens, hourCacheWrite }: JudgeUsage, prices: Settings['prices'], at: number): Totals {
  const usd = costUsd(tokens, model, prices, hourCacheWrite) ?? 0
  return { usd, turns: 0, tokens, usdByDay: { [dayOf(at)]: usd } }
}

function decideTargetReport(state: RunState, commit: Commit, report: RunReport): readonly RunEvent[] {
  switch (report.kind) {
    case 'followed':
      return [{ kind: 'target-followed', commit: report.commit }]
    case 'target-held': {
      const { reason, command } = report
      const held: RunEvent = { kind: 'target-held', commit, reason, command }
      const isAlone = report.diverged && state.landings.length === 0
      return isAlone ? [held, { kind: 'sync-requested', line: commit, reason }] : [held]
    }
    case 'trouble':
      return [{ kind: 'target-held', commit, reason: report.problem.message, command: null }]
    default:
      return []
  }
}
