import { passesWithApprovals, unapprovedFindings } from '../checks/approved-findings.ts'
import { STALE_CANDIDATES_MAX } from '../limits/limits.ts'
import type { EndCause } from '../model/attempt.ts'
import type { LandingSubject } from '../model/effect.ts'
import type { Commit, TaskId } from '../model/ids.ts'
import type { RunReport } from '../model/input.ts'
import type { RunEvent } from '../model/run-event.ts'
import { type Finding, finding, findingText } from '../model/verdict.ts'
import { attemptOf, type LandingRecord, type RunState, taskOf } from './state.ts'

/** Turns a report about an entry of the landing queue into facts of the run. */
export function decideLandingReport(state: RunState, landing: LandingRecord, report: RunReport): readonly RunEvent[] {
  switch (report.kind) {
    case 'prepared': {
      const { line, base, commit, tree, target } = report
      return [{ kind: 'candidate-prepared', landing: landing.id, line, base, commit, tree, target }]
    }
    case 'conflict':
      return refused(state, landing, { cause: 'conflict', line: report.line, findings: report.findings, receipts: [] })
    case 'checked': {
      const { receipts } = report.verdict
      const findings = unapprovedFindings(report.verdict.findings, allowedFor(state, landing))
      if (passesWithApprovals(report.verdict, findings))
        return [{ kind: 'candidate-checked', landing: landing.id, commit: candidateOf(landing), receipts }]
      if (findings.length > 0 && findings.every(({ blames }) => blames === 'environment')) return heldBy(findings)
      const line = state.line?.line ?? candidateOf(landing)
      return refused(state, landing, { cause: 'checks', line, findings, receipts })
    }
    case 'advanced':
      return advanced(state, landing, report.commit)
    case 'stale':
      if (landing.stale < STALE_CANDIDATES_MAX)
        return refused(state, landing, { cause: 'stale', line: report.line, findings: [], receipts: [] })
      return [
        {
          kind: 'landing-held',
          reason: 'Another process keeps moving the landing line.',
          hint: 'Find out what updates refs/longhaul/landed, then run "longhaul run" again.',
        },
      ]
    case 'trouble': {
      const { message, hint, code } = report.problem
      // Candidates are made in the user's repository, where no agent can have left the lock.
      if (code === 'git-locked') return [{ kind: 'landing-held', reason: message, hint }]
      const source = code === 'builds-on-dropped' ? 'merge' : 'landing'
      const findings = [finding(source, `${message} ${hint}`)]
      const line = state.line?.line ?? landing.subject.commit
      return refused(state, landing, { cause: 'trouble', line, findings, receipts: [] })
    }
    default:
      return []
  }
}

/** Holds landing while the environment alone is at fault: no agent can repair that. */
function heldBy([first]: readonly Finding[]): readonly RunEvent[] {
  const reason = `The checks cannot run: ${first === undefined ? '' : findingText(first)}.`
  return [{ kind: 'landing-held', reason, hint: 'Repair the environment, then run "longhaul run" again.' }]
}

/** Returns the findings that the user has allowed in the work that is landing. */
function allowedFor({ attempts }: RunState, { subject }: LandingRecord): ReadonlySet<string> {
  const attempt = subject.kind === 'attempt' ? attempts.get(subject.attempt) : undefined
  return attempt?.allowed ?? new Set()
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

type Refusal = Extract<RunEvent, { kind: 'candidate-refused' }>

function refused(
  state: RunState,
  { id, subject }: LandingRecord,
  why: Omit<Refusal, 'kind' | 'landing'>,
): readonly RunEvent[] {
  const refusal: Refusal = { kind: 'candidate-refused', landing: id, ...why }
  return why.cause === 'stale' ? [refusal] : [refusal, ...afterRefusal(state, subject, why)]
}

function afterRefusal(
  state: RunState,
  subject: LandingSubject,
  { cause, findings }: Pick<Refusal, 'cause' | 'findings'>,
): readonly RunEvent[] {
  const reason = findings[0] === undefined ? cause : findingText(findings[0])
  switch (subject.kind) {
    case 'attempt':
      if (cause !== 'trouble') return []
      return [{ kind: 'attempt-stopping', attempt: subject.attempt, cause: stopCause(findings), reason }]
    case 'revert':
      return [
        { kind: 'revert-refused', task: subject.task, reason, findings },
        ...revertsCalledOff(state, subject.task),
      ]
    case 'sync': {
      const held = `Your new commits on the target branch and the landed work fail together: ${reason}.`
      return [
        { kind: 'landing-held', reason: held, hint: 'Fix it on the target branch, then run "longhaul run" again.' },
      ]
    }
  }
}

/** Calls off the queued reverts of tasks that this one rests on, requested together with it. */
function revertsCalledOff(state: RunState, task: TaskId): readonly RunEvent[] {
  const root = rootOf(state, task)
  return state.landings.flatMap(({ subject }): readonly RunEvent[] => {
    if (subject.kind !== 'revert' || subject.task === task || rootOf(state, subject.task) !== root) return []
    const reason = `${task} rests on it and could not be reverted`
    return [{ kind: 'revert-refused', task: subject.task, reason, findings: [] }]
  })
}

function rootOf(state: RunState, task: TaskId): TaskId {
  const { revert } = taskOf(state, task)
  return revert?.kind === 'pending' ? revert.root : task
}

/** Rejects work that builds on commits dropped from the target; anything else is trouble. */
function stopCause(findings: readonly Finding[]): EndCause {
  return findings.some((finding) => finding.source === 'merge') ? 'conflict' : 'trouble'
}
