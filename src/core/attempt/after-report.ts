import { REVIEWS_MAX } from '../limits/limits.ts'
import type { AgentReport } from '../model/agent-report.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import { type Finding, findingText } from '../model/verdict.ts'
import { qaFindings, reviewFindings } from '../phases/review-findings.ts'
import { phaseOf } from '../phases/workflows.ts'
import { findingsKey } from '../prompts/findings-text.ts'
import { askApproval } from './ask-person.ts'
import { leavePhase, type PhaseResult, returnWork, waiting } from './phase-flow.ts'
import { type AttemptState, specOf } from './state.ts'

/** Decides what follows a phase that has to report; null when the phase needs no report. */
export function afterReport(state: AttemptState, work: PhaseResult): readonly AttemptEvent[] | null {
  const { role } = phaseOf(specOf(state).workflow, state.phase)
  if (role === 'reviewer') return afterReview(state, work)
  if (role === 'planner') return afterPlan(state, work)
  return role === 'qa' ? afterQa(state, work) : null
}

/** Returns the report of a kind from the last round, or null when there is none. */
export function reportOf<Kind extends AgentReport['kind']>(
  { rounds, reports }: AttemptState,
  kind: Kind,
): Extract<AgentReport, { kind: Kind }> | null {
  const last = reports[kind]
  return last?.round === rounds ? (last.report as Extract<AgentReport, { kind: Kind }>) : null
}

/** Returns the open findings, including those of a review that a person was asked about. */
export function openFindings(state: AttemptState): readonly Finding[] {
  const review = state.isDeciding ? reportOf(state, 'review')?.review : undefined
  const findings = review === undefined ? [] : reviewFindings(review)
  return findings.length === 0 ? state.findings : findings
}

/** A review first looks, then decides; an unreadable review does not pass. */
function afterReview(state: AttemptState, work: PhaseResult): readonly AttemptEvent[] {
  const review = reportOf(state, 'review')?.review
  if (review === undefined) return unreadable(state, 'review')
  if (!state.isDeciding) return [{ kind: 'round-requested', cause: { kind: 'decide' } }]
  const { decision } = review
  if (decision === null) return unreadable(state, 'decision')
  const findings = reviewFindings(review)
  if (decision.kind === 'needs-person') return [ask(state, `the review asks for your decision: ${decision.reason}`)]
  if (findings.length === 0) return leavePhase(state, work, `the review passed: ${decision.reason}`)
  return [sentBack(state, findings, work)]
}

/** Sends work back, or asks a person when reviews repeat a finding or find something too often. */
function sentBack(state: AttemptState, findings: readonly Finding[], { tree }: PhaseResult): AttemptEvent {
  const first = findings[0] === undefined ? '' : findingText(findings[0])
  if (state.lastReview === findingsKey(findings))
    return ask(state, `stalemate: the review repeats its finding: ${first}`)
  if (state.reviews + 1 >= REVIEWS_MAX) return ask(state, `${REVIEWS_MAX} reviews found problems; the last: ${first}`)
  return returnWork(state, state.phase, findings, tree)
}

function afterQa(state: AttemptState, work: PhaseResult): readonly AttemptEvent[] | null {
  const qa = reportOf(state, 'qa')?.qa
  if (qa === undefined) return unreadable(state, 'outcome')
  const findings = qaFindings(qa)
  return findings.length === 0 ? null : [returnWork(state, state.phase, findings, work.tree)]
}

function afterPlan(state: AttemptState, work: PhaseResult): readonly AttemptEvent[] {
  if (!state.outputs.has(state.phase)) return unreadable(state, state.phase)
  return leavePhase(state, work, `the ${state.phase} is written`)
}

/** Asks the agent once more, then a person. */
function unreadable(state: AttemptState, what: string): readonly AttemptEvent[] {
  const why = `Your ${what} could not be read.`
  if (state.asksAgain === 0) return [{ kind: 'round-requested', cause: { kind: 'again', why } }]
  return [ask(state, `the ${what} of phase ${state.phase} cannot be read`)]
}

function ask(state: AttemptState, question: string): AttemptEvent {
  return waiting(askApproval(state.phase, question, specOf(state).tasks), question)
}
