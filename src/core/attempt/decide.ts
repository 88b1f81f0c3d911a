import { durationText } from '../limits/duration-text.ts'
import {
  COST_DRIFT_MAX,
  DENIALS_RECORDED_MAX,
  REFUSED_HOSTS_RECORDED_MAX,
  WORKSPACE_LOSSES_MAX,
} from '../limits/limits.ts'
import type { AttemptEvent, Message } from '../model/attempt-event.ts'
import type { Commit } from '../model/ids.ts'
import { type AttemptInput, type AttemptReport, accepted, type Decision, type Moment } from '../model/input.ts'
import type { Problem } from '../model/problem.ts'
import { afterAnswer } from './after-answer.ts'
import { afterCheckpoint, afterVerdict } from './after-checkpoint.ts'
import { afterOpinion } from './after-opinion.ts'
import { openFindings, reportOf } from './after-report.ts'
import { bestNote, decideToolCall } from './decide-tool-call.ts'
import { decideUsage } from './decide-usage.ts'
import { attemptEffectsDue } from './effects-due.ts'
import { roundEnded, roundEndedByAgent } from './end-round.ts'
import { closing, enterFirstPhase, returnWork } from './phase-flow.ts'
import { type AttemptState, specOf } from './state.ts'
import { afterSteeringResult } from './steering.ts'

/** Decides the new facts of an attempt for an input. */
export function decideAttempt(state: AttemptState, input: AttemptInput, moment: Moment): Decision<AttemptEvent> {
  if (input.kind === 'tool-called') return decideToolCall(state, input.round, input.call)
  return accepted(eventsOf(state, input, moment))
}

function eventsOf(
  state: AttemptState,
  input: Exclude<AttemptInput, { kind: 'tool-called' }>,
  moment: Moment,
): readonly AttemptEvent[] {
  switch (input.kind) {
    case 'open':
      if (input.spec.tasks.length !== 1) throw new Error('an attempt carries exactly one task')
      return state.spec === null ? [{ kind: 'attempt-opened', spec: input.spec }] : []
    case 'message':
      return state.messagesReceived.has(input.id) ? [] : afterMessage(state, input.id, input.message)
    case 'report':
      return isDue(state, input.effect) ? afterEffect(state, input.report, moment) : []
    case 'steering-result':
      return afterSteeringResult(state, input.number, input.round, input.isAccepted)
    case 'session-opened': {
      const isNew = state.session?.id === input.session && !state.session.isOpen
      return isNew ? [input] : []
    }
    case 'usage':
      return decideUsage(state, input.usage, moment)
    case 'quiet':
      if (state.doing.kind !== 'round') return []
      return [{ ...input, kind: 'session-quiet', round: state.doing.round }]
    case 'denied':
      return afterDenial(state, input.tool, input.reason)
    case 'host-refused':
      return afterRefusedHost(state, input)
    case 'compacted':
      if (state.session === null) return []
      return [{ kind: 'context-compacted', session: state.session.id, trigger: input.trigger }]
    case 'cost':
      return afterAgentTotal(state, input.usd)
    case 'notice':
      return [{ kind: 'notice-recorded', text: input.text }]
    case 'workspace-missing':
      return afterWorkspaceLoss(state, input.reason)
    case 'interrupted':
      return state.doing.kind === 'round' ? [roundEnded(state, 'cancelled', input.reason, moment)] : []
    case 'tick':
      return afterDeadline(state, moment)
  }
}

/** A report counts only while its effect is due. */
function isDue(state: AttemptState, effect: string): boolean {
  return attemptEffectsDue(state).some((due) => due.id === effect)
}

function afterMessage(state: AttemptState, id: string, message: Message): readonly AttemptEvent[] {
  const received: AttemptEvent = { kind: 'message-received', id, message }
  if (state.doing.kind === 'ended' || state.doing.kind === 'closing') return [received]
  switch (message.kind) {
    case 'resume': {
      const answer = state.doing.kind === 'waiting' ? state.doing.answer : undefined
      return answer === undefined ? [received] : [received, ...afterAnswer(state, answer.answer, answer.approvalPoint)]
    }
    case 'pause':
    case 'steer':
    case 'answer':
    case 'settings':
      return [received]
    case 'landed':
      return [received, closing('landed', 'landed', `landed as ${message.commit.slice(0, 10)}`, [])]
    case 'stop': {
      const outcome = message.cause === 'stopped' ? 'abandoned' : 'failed'
      return [received, closing(outcome, message.cause, message.reason, openFindings(state))]
    }
    case 'landing-refused':
      return [received, returnWork(state, 'landing', message.findings, state.tree)]
  }
}

function afterEffect(state: AttemptState, report: AttemptReport, moment: Moment): readonly AttemptEvent[] {
  switch (report.kind) {
    case 'workspace-made':
      return [{ kind: 'workspace-made', commit: report.commit }, ...afterWorkspace(state, report.commit)]
    case 'verify-tried':
      return afterVerify(state, report.alreadyGreen)
    case 'setup-failed':
      return [closing('failed', 'setup', report.problem.message, report.findings)]
    case 'round-ended':
      return [
        ...lastAnswer(state, report),
        ...roundEndedByAgent(state, report.end, moment),
        ...handedOff(state, report),
      ]
    case 'lost':
      return [roundEnded(state, 'lost', 'the engine stopped during the round', moment)]
    case 'checkpointed': {
      const checkpoint = { ...report, kind: 'checkpoint-made' as const }
      return [checkpoint, ...afterCheckpoint(state, checkpoint, moment)]
    }
    case 'checked':
      return afterVerdict(state, report.verdict)
    case 'opinion':
      return afterOpinion(state, report.opinion, report.why)
    case 'released':
      return released(state, report.kept, report.salvage)
    case 'trouble':
      return afterProblem(state, report.problem)
  }
}

/** Enters the first phase; tries the task's own commands on the base before a first attempt. */
function afterWorkspace(state: AttemptState, commit: Commit): readonly AttemptEvent[] {
  if (state.workspaces > 0) return []
  const { tasks, retryBrief } = specOf(state)
  const isUntried = retryBrief === null && tasks.some(({ verify }) => verify.length > 0)
  return isUntried ? [{ kind: 'verify-requested' }] : enterFirstPhase(state, { commit, tree: null }, WORKSPACE_READY)
}

function afterVerify(state: AttemptState, alreadyGreen: readonly string[]): readonly AttemptEvent[] {
  const work = { commit: state.commit ?? specOf(state).base, tree: null }
  return [{ kind: 'verify-tried', alreadyGreen }, ...enterFirstPhase(state, work, WORKSPACE_READY)]
}

const WORKSPACE_READY = 'the workspace is ready'

/** Records the report in an agent's last answer; a report by tool takes precedence. */
function lastAnswer(
  state: AttemptState,
  { end, words }: Extract<AttemptReport, { kind: 'round-ended' }>,
): readonly AttemptEvent[] {
  if (end.kind !== 'ok' || words === null) return []
  const { rounds: round, phase } = state
  const { report, digest } = words
  const isNew = report !== null && reportOf(state, report.kind) === null
  return [
    ...(isNew ? [{ kind: 'work-reported' as const, round, report }] : []),
    ...(digest === null ? [] : [{ kind: 'phase-output' as const, phase, text: digest }]),
  ]
}

/** Records the hand-off of a full session. */
function handedOff(
  state: AttemptState,
  { end, note }: Extract<AttemptReport, { kind: 'round-ended' }>,
): readonly AttemptEvent[] {
  const { session } = state
  if (end.kind !== 'context-exhausted' || session === null) return []
  const { digest, quality } = bestNote(state, note)
  return [{ kind: 'session-handed-off', session: session.id, note: digest, quality, totals: session.totals }]
}

function released(state: AttemptState, kept: boolean, salvage: readonly string[]): readonly AttemptEvent[] {
  if (state.doing.kind !== 'closing') return []
  const { outcome, cause, reason } = state.doing
  const { phase, commit, totals, activeMs, longest, findings } = state
  const note = state.sessions.findLast((session) => session.note?.digest)?.note?.digest ?? null
  return [
    { kind: 'workspace-released', kept, salvage },
    { kind: 'attempt-ended', outcome, cause, reason, phase, note, commit, totals, activeMs, longest, findings },
  ]
}

function afterProblem(state: AttemptState, problem: Problem): readonly AttemptEvent[] {
  if (state.doing.kind === 'closing') return released(state, true, [])
  if (state.doing.kind === 'trying-verify') return afterVerify(state, [])
  if (state.doing.kind === 'asking-judge') return afterOpinion(state, null, problem.message)
  if (problem.code === 'workspace-missing') return afterWorkspaceLoss(state, problem.message)
  return [closing('failed', 'trouble', problem.message, state.findings)]
}

function afterWorkspaceLoss(state: AttemptState, reason: string): readonly AttemptEvent[] {
  const { doing } = state
  const needsWorkspace = ['trying-verify', 'between', 'round', 'checkpoint', 'checking', 'asking-judge'].includes(
    doing.kind,
  )
  if (!needsWorkspace) return []
  if (state.workspaces > WORKSPACE_LOSSES_MAX) {
    return [closing('failed', 'trouble', `its workspace was lost ${state.workspaces} times`, state.findings)]
  }
  return [{ kind: 'workspace-lost', reason, commit: state.commit ?? specOf(state).base }]
}

function afterDenial(state: AttemptState, tool: string, reason: string): readonly AttemptEvent[] {
  const isNew = !state.denials.has(`${tool} ${reason}`) && state.denials.size < DENIALS_RECORDED_MAX
  return isNew ? [{ kind: 'tool-denied', round: state.rounds, tool, reason }] : []
}

function afterRefusedHost(
  { rounds, refusedHosts }: AttemptState,
  refusal: Extract<AttemptEvent, { kind: 'host-refused' }>,
): readonly AttemptEvent[] {
  const isNew = !refusedHosts.has(refusal.host) && refusedHosts.size < REFUSED_HOSTS_RECORDED_MAX
  return isNew && refusal.round === rounds ? [refusal] : []
}

function afterAgentTotal(state: AttemptState, agentUsd: number): readonly AttemptEvent[] {
  const usd = state.roundUsd
  if (state.doing.kind !== 'round' || usd === null) return []
  const isClose = Math.abs(agentUsd - usd) <= COST_DRIFT_MAX * Math.max(agentUsd, usd)
  return isClose ? [] : [{ kind: 'cost-drifted', round: state.doing.round, usd, agentUsd }]
}

function afterDeadline(state: AttemptState, moment: Moment): readonly AttemptEvent[] {
  const { doing } = state
  if (doing.kind !== 'round' || moment.at < doing.deadlineAt) return []
  const limit = durationText(doing.deadlineAt - doing.startedAt)
  return [roundEnded(state, 'timeout', `not finished within ${limit}`, moment)]
}
