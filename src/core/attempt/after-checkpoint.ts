import { passesWithApprovals, unapprovedFindings } from '../checks/approved-findings.ts'
import { credentialOf } from '../limits/credential.ts'
import { errorDelayMs, limitEndsAt } from '../limits/delays.ts'
import { ERRORS_MAX, LOST_ROUNDS_MAX, TIMEOUT_RESUMES_MAX } from '../limits/limits.ts'
import type { EndCause, PersonWait } from '../model/attempt.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { Moment } from '../model/input.ts'
import type { RoundEnd } from '../model/round.ts'
import { type Finding, findingText, type Verdict } from '../model/verdict.ts'
import { ownFindings } from '../phases/own-checks.ts'
import { afterChecksPassed } from './after-opinion.ts'
import { afterReport } from './after-report.ts'
import { askPerson, askToAct, retryHint } from './ask-person.ts'
import { checksIn, closing, leavePhase, returnWork, waiting } from './phase-flow.ts'
import { type AttemptState, specOf } from './state.ts'

type Made = Extract<AttemptEvent, { kind: 'checkpoint-made' }>

/** What follows a round whose work has been saved; nothing: another round. */
export function afterCheckpoint(state: AttemptState, made: Made, moment: Moment): readonly AttemptEvent[] {
  if (state.doing.kind !== 'checkpoint') return []
  const { end } = state.doing
  switch (end.kind) {
    case 'ok':
      return afterClaim(state, made, end)
    case 'max-turns':
      return state.turnRetries <= specOf(state).bounds.turnRetries ? [] : phaseDone(state, made, end.detail)
    case 'truncated':
    case 'cancelled':
      return []
    case 'lost':
      return giveUpPast(state, state.lostRounds > LOST_ROUNDS_MAX, 'lost', `${state.lostRounds} rounds were lost`)
    case 'timeout':
      return giveUpPast(state, state.timeouts > TIMEOUT_RESUMES_MAX, 'timeout', end.detail)
    case 'context-exhausted': {
      const handOffs = state.handOffs + 1
      const isPast = handOffs > specOf(state).bounds.handOffsMax
      return giveUpPast(state, isPast, 'hand-offs', `${handOffs} sessions were full`)
    }
    case 'rate-limited':
      return [parked(state, end, moment)]
    case 'overloaded':
    case 'crashed':
    case 'unknown':
      return afterError(state, end, moment)
    case 'budget':
      return [waiting(toAct(state, end.detail, 'Raise the budget in longhaul.yaml'), end.detail)]
    case 'auth':
      return [waiting(toAct(state, `the agent is not signed in: ${end.detail}`, 'Sign in'), end.detail)]
    case 'refused':
      return [closing('failed', 'refused', `the agent refused: ${end.detail}`, state.findings)]
    case 'config':
      return [closing('failed', 'config', end.detail, state.findings)]
  }
}

/** What follows a verdict of a phase's checks. */
export function afterVerdict(state: AttemptState, verdict: Verdict): readonly AttemptEvent[] {
  if (state.doing.kind !== 'checking') return []
  const { commit, tree } = state.doing
  const { receipts } = verdict
  const findings = unapprovedFindings(verdict.findings, state.approved)
  const passed = passesWithApprovals(verdict, findings)
  const given: AttemptEvent = { kind: 'verdict-given', commit, passed, receipts, findings }
  const next = passed ? afterChecksPassed(state, { commit, tree }) : [returnWork(state, state.phase, findings, tree)]
  return [given, ...assessed(state, passed ? null : findings, true), ...next]
}

function afterClaim(state: AttemptState, made: Made, end: RoundEnd): readonly AttemptEvent[] {
  const claim = end.claim ?? { kind: 'done' }
  if (claim.kind === 'continue') return []
  if (claim.kind === 'done') return phaseDone(state, made, 'the agent says it is done')
  const wait = askPerson('answer', `blocked: ${claim.reason}`, specOf(state).tasks)
  return [
    { kind: 'work-assessed', as: 'blocked', why: claim.reason },
    waiting(wait, `the agent is blocked: ${claim.reason}`),
  ]
}

function toAct(state: AttemptState, question: string, act: string): PersonWait {
  return askToAct(question, retryHint(act, specOf(state).tasks))
}

/** The claim is checked: by ourselves at once, by the phase's gates, and by all of them again at landing. */
function phaseDone(state: AttemptState, made: Made, why: string): readonly AttemptEvent[] {
  const reported = afterReport(state, made)
  if (reported !== null) return reported
  const spec = specOf(state)
  const findings = unapprovedFindings(ownFindings(spec, made), state.approved)
  if (findings.length > 0) {
    return [...assessed(state, findings, made.changed > 0), returnWork(state, state.phase, findings, made.tree)]
  }
  if (checksIn(spec, state.phase).length > 0) return [{ kind: 'work-submitted', phase: state.phase, why }]
  const next = leavePhase(state, made, why)
  const isUnchecked = next.some(({ kind }) => kind === 'ready-to-land')
  return isUnchecked ? [...assessed(state, null, true), ...next] : next
}

/** What was delivered, where turns ran out on the way; `findings` null: the checks passed. */
function assessed(
  { turnRetries, isCutOff }: AttemptState,
  findings: readonly Finding[] | null,
  isChanged: boolean,
): readonly AttemptEvent[] {
  if (turnRetries === 0) return []
  if (findings === null) {
    const why = isCutOff ? 'its turns are used up, and the checks pass' : 'it needed more turns, and the checks pass'
    return [{ kind: 'work-assessed', as: isCutOff ? 'success-with-limits' : 'success', why }]
  }
  if (!isCutOff) return []
  const found = findings[0] === undefined ? 'no reason was given' : findingText(findings[0])
  return [{ kind: 'work-assessed', as: isChanged ? 'partial' : 'failed', why: `its turns are used up: ${found}` }]
}

function giveUpPast(state: AttemptState, isPast: boolean, cause: EndCause, reason: string): readonly AttemptEvent[] {
  return isPast ? [closing('failed', cause, reason, state.findings)] : []
}

function parked(state: AttemptState, end: RoundEnd, moment: Moment): AttemptEvent {
  const spec = specOf(state)
  const ends = limitEndsAt(moment.at, end.resetAt, state.limitHits, moment.uuid, spec.bounds)
  return waiting(
    { kind: 'limit', credential: credentialOf(spec.agents[state.phase] ?? spec.agent), ...ends },
    `usage limit: ${end.detail}`,
  )
}

function afterError(state: AttemptState, end: RoundEnd, moment: Moment): readonly AttemptEvent[] {
  // An overload is nobody's failure: it only ever pauses.
  if (state.errors >= ERRORS_MAX && end.kind !== 'overloaded') {
    return [closing('failed', 'errors', `${state.errors} errors in a row; the last: ${end.detail}`, state.findings)]
  }
  const until = moment.at + errorDelayMs(state.errors, specOf(state).bounds)
  return [waiting({ kind: 'retry', until }, `${end.kind}: ${end.detail}`)]
}
