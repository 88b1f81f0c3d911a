import { passesWithApprovals, unapprovedFindings } from '../checks/approved-findings.ts'
import { STALE_CANDIDATES_MAX } from '../limits/limits.ts'
import { costUsd } from '../limits/prices.ts'
import type { EndCause } from '../model/attempt.ts'
import type { LandingSubject, RunEffect } from '../model/effect.ts'
import type { Commit, MilestoneId } from '../model/ids.ts'
import type { RunReport } from '../model/input.ts'
import type { JudgeUsage } from '../model/round.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Settings } from '../model/settings.ts'
import { addTotals, dayOf, NO_TOTALS, type Totals } from '../model/usage.ts'
import { type Finding, finding, findingText, type Receipt } from '../model/verdict.ts'
import { landingOf } from './queues.ts'
import { attemptOf, type LandingRecord, type RunState, settingsOf } from './state.ts'

type Refusal = Extract<RunEvent, { kind: 'candidate-refused' }>

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
      return [{ kind: 'baseline-checked', commit: effect.commit, ...report.verdict }]
    case 'summarize-milestone':
      return summarized(state, effect.milestone, report, at)
    case 'prepare-candidate':
    case 'check-candidate':
    case 'advance-line':
      return whenLandingReported(state, landingOf(state, effect.landing), report)
    case 'follow-target':
      return whenTargetReported(state, effect.commit, report)
    case 'work-attempt':
    case 'tell-attempt':
      return []
  }
}

/** Returns the findings that the user has allowed in the work that is landing. */
function allowedFor({ attempts }: RunState, { subject }: LandingRecord): ReadonlySet<string> {
  const attempt = subject.kind === 'attempt' ? attempts.get(subject.attempt) : undefined
  return attempt?.allowed ?? new Set()
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

/** Holds landing after trouble with the landing line, until the user or a new engine tries again. */
function holdOnTrouble(report: RunReport): readonly RunEvent[] {
  if (report.kind !== 'trouble') return []
  return [{ kind: 'landing-held', reason: report.problem.message, hint: report.problem.hint }]
}

function whenLandingReported(state: RunState, landing: LandingRecord, report: RunReport): readonly RunEvent[] {
  switch (report.kind) {
    case 'prepared': {
      const { line, base, commit, tree, target } = report
      return [{ kind: 'candidate-prepared', landing: landing.id, line, base, commit, tree, target }]
    }
    case 'conflict':
      return refused(landing, 'conflict', report.line, report.findings, [])
    case 'checked': {
      const { receipts } = report.verdict
      const findings = unapprovedFindings(report.verdict.findings, allowedFor(state, landing))
      if (passesWithApprovals(report.verdict, findings))
        return [{ kind: 'candidate-checked', landing: landing.id, commit: candidateOf(landing), receipts }]
      return refused(landing, 'checks', state.line?.line ?? candidateOf(landing), findings, receipts)
    }
    case 'advanced':
      return advanced(state, landing, report.commit)
    case 'stale':
      if (landing.stale < STALE_CANDIDATES_MAX) return refused(landing, 'stale', report.line, [], [])
      return [
        {
          kind: 'landing-held',
          reason: 'Another process keeps moving the landing line.',
          hint: 'Find out what updates refs/longhaul/landed, then run "longhaul run" again.',
        },
      ]
    case 'trouble': {
      const { message, hint, code } = report.problem
      const source = code === 'builds-on-dropped' ? 'merge' : 'landing'
      const findings = [finding(source, `${message} ${hint}`)]
      return refused(landing, 'trouble', state.line?.line ?? landing.subject.commit, findings, [])
    }
    default:
      return []
  }
}

function candidateOf(landing: LandingRecord): Commit {
  if (landing.candidate === null) throw new Error(`${landing.id} has no candidate`)
  return landing.candidate.commit
}

function advanced(state: RunState, landing: LandingRecord, commit: Commit): readonly RunEvent[] {
  const receipts = landing.receipts ?? []
  const { subject } = landing
  switch (subject.kind) {
    case 'attempt':
      return [
        { kind: 'landed', attempt: subject.attempt, tasks: [attemptOf(state, subject.attempt).task], commit, receipts },
      ]
    case 'revert':
      return [{ kind: 'reverted', task: subject.task, commit, receipts }]
    case 'sync':
      return [{ kind: 'synced', commit, receipts }]
  }
}

function refused(
  landing: LandingRecord,
  cause: Refusal['cause'],
  line: Commit,
  findings: readonly Finding[],
  receipts: readonly Receipt[],
): readonly RunEvent[] {
  const refusal: Refusal = { kind: 'candidate-refused', landing: landing.id, cause, line, findings, receipts }
  if (cause === 'stale') return [refusal]
  return [refusal, ...afterRefusal(landing.subject, cause, findings)]
}

function afterRefusal(
  subject: LandingSubject,
  cause: Refusal['cause'],
  findings: readonly Finding[],
): readonly RunEvent[] {
  const reason = findings[0] === undefined ? cause : findingText(findings[0])
  switch (subject.kind) {
    case 'attempt':
      if (cause !== 'trouble') return []
      return [{ kind: 'attempt-stopping', attempt: subject.attempt, cause: stopCause(findings), reason }]
    case 'revert':
      return [{ kind: 'revert-refused', task: subject.task, reason, findings }]
    case 'sync': {
      const held = `Your new commits on the target branch and the landed work fail together: ${reason}.`
      return [
        { kind: 'landing-held', reason: held, hint: 'Fix it on the target branch, then run "longhaul run" again.' },
      ]
    }
  }
}

/** Rejects work that builds on commits dropped from the target; anything else is trouble. */
function stopCause(findings: readonly Finding[]): EndCause {
  return findings.some((finding) => finding.source === 'merge') ? 'conflict' : 'trouble'
}

function whenTargetReported(state: RunState, commit: Commit, report: RunReport): readonly RunEvent[] {
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
