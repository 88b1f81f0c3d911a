import { passesWithApprovals, unapprovedFindings } from '../checks/approved-findings.ts'
import { credentialOf } from '../limits/credential.ts'
import { errorDelayMs, limitEndsAt } from '../limits/delays.ts'
import { ERRORS_MAX, LOST_ROUNDS_MAX, TIMEOUT_RESUMES_MAX } from '../limits/limits.ts'
import type { EndCause, PersonWait } from '../model/attempt.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { Tree } from '../model/ids.ts'
import type { Moment } from '../model/input.ts'
import type { RoundEnd } from '../model/round.ts'
import { type Finding, findingText, type Verdict } from '../model/verdict.ts'
import { ownFindings } from '../phases/own-checks.ts'
import { afterChecksPassed } from './after-opinion.ts'
import { afterReport } from './after-report.ts'
import { askPerson, askToAct, retryHint } from './ask-person.ts'
import { checksIn, closing, leavePhase, returnWork, waiting } from './phase-flow.ts'
import { type AttemptState, specOf } from './state.ts'

type Checkpoint = Extract<AttemptEvent, { kind: 'checkpoint-made' }>

/** Decides what follows a round whose work has been saved; [] means another round. */
export function afterCheckpoint(state: AttemptState, checkpoint: Checkpoint, moment: Moment): readonly AttemptEvent[] {
  if (state.doing.kind !== 'checkpoint') return []
  const { end } = state.doing
  switch (end.kind) {
    case 'ok':
      return afterClaim(state, checkpoint, end)
    case 'max-turns':
      return state.turnRetries <= specOf(state).bounds.turnRetries ? [] : phaseDone(state, checkpoint, end.detail)
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

/** Decides what follows the verdict on a phase. */
export function afterVerdict(state: AttemptState, verdict: Verdict): readonly AttemptEvent[] {
  if (state.doing.kind !== 'checking') return []
  const { commit, tree } = state.doing
  const { receipts } = verdict
  const findings = unapprovedFindings(verdict.findings, state.approved)
  const passed = passesWithApprovals(verdict, findings)
  const recorded: AttemptEvent = { kind: 'verdict-given', commit, passed, receipts, findings }
  const next = passed ? afterChecksPassed(state, { commit, tree }) : [afterRedChecks(state, findings, tree)]
  return [recorded, ...assessed(state, passed ? null : findings, true), ...next]
}

/** Sends red work back, or waits for a person while the environment alone is at fault: no agent can repair that. */
function afterRedChecks(state: AttemptState, findings: readonly Finding[], tree: Tree): AttemptEvent {
  const [first] = findings
  if (first === undefined || !findings.every(({ blames }) => blames === 'environment')) {
    return returnWork(state, state.phase, findings, tree)
  }
  const question = `the checks cannot run: ${findingText(first)}`
  return waiting(toAct(state, question, 'Repair the environment'), question)
}

function afterClaim(state: AttemptState, checkpoint: Checkpoint, end: RoundEnd): readonly AttemptEvent[] {
  const claim = end.claim ?? { kind: 'done' }
  if (claim.kind === 'continue') return []
  if (claim.kind === 'done') return phaseDone(state, checkpoint, 'the agent says it is done')
  const wait = askPerson('answer', `asks: ${claim.reason}`, specOf(state).tasks)
  return [
    { kind: 'work-assessed', as: 'blocked', why: claim.reason },
    waiting(wait, `the agent is blocked: ${claim.reason}`),
  ]
}

function toAct(state: AttemptState, question: string, act: string): PersonWait {
  return askToAct(question, retryHint(act, specOf(state).tasks))
}

/** Verifies a claim: built-in checks first, then the phase's gates; landing runs all of them again. */
function phaseDone(state: AttemptState, checkpoint: Checkpoint, why: string): readonly AttemptEvent[] {
  const reported = afterReport(state, checkpoint)
  if (reported !== null) return reported
  const spec = specOf(state)
  const findings = unapprovedFindings(ownFindings(spec, checkpoint), state.approved)
  if (findings.length > 0) {
    return [
      ...assessed(state, findings, checkpoint.changed > 0),
      returnWork(state, state.phase, findings, checkpoint.tree),
    ]
  }
  if (checksIn(spec, state.phase).length > 0) return [{ kind: 'work-submitted', phase: state.phase, why }]
  const next = leavePhase(state, checkpoint, why)
  const isUnchecked = next.some(({ kind }) => kind === 'ready-to-land')
  return isUnchecked ? [...assessed(state, null, true), ...next] : next
}

/** Grades work whose turns ran out; `findings` is null when the checks passed. */
function assessed(
  { turnRetries, isCutOff }: AttemptState,
  findings: readonly Finding[] | null,
  isChanged: boolean,
): readonly AttemptEvent[] {
  if (turnRetries === 0) return []
  if (findings === null) {
    const why = isCutOff ? 'its turns ran out, but the checks pass' : 'it needed more turns, and the checks pass'
    return [{ kind: 'work-assessed', as: isCutOff ? 'success-with-limits' : 'success', why }]
  }
  if (!isCutOff) return []
  const first = findings[0] === undefined ? 'no reason was given' : findingText(findings[0])
  return [{ kind: 'work-assessed', as: isChanged ? 'partial' : 'failed', why: `its turns ran out: ${first}` }]
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
  // An overload is not the agent's fault, so it never fails the attempt.
  if (state.errors >= ERRORS_MAX && end.kind !== 'overloaded') {
    return [closing('failed', 'errors', `${state.errors} errors in a row; the last: ${end.detail}`, state.findings)]
  }
  const until = moment.at + errorDelayMs(state.errors, specOf(state).bounds)
  return [waiting({ kind: 'retry', until }, `${end.kind}: ${end.detail}`)]
}
