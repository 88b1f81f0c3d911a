import { randomUUID } from 'node:crypto'
import type { Tokens } from '../core/model/usage.ts'
import { CLAIM_TAGS } from '../core/phases/read-report.ts'
import { isCodingPhase, rehearsedAnswer, rehearsedForm } from '../core/phases/rehearsal.ts'
import { roleOfPhase } from '../core/phases/roles.ts'
import { type Choice, chooseTurn } from './choose-turn.ts'
import { conversationOf, type LabConversation } from './conversation.ts'
import {
  estimateTokens,
  type ModelFailure,
  type ModelMessage,
  type ModelRequest,
  type ModelToolCall,
} from './dialect.ts'
import type { LabMemory } from './lab-memory.ts'
import type { ModelFault, Scenario } from './scenario.ts'
import { callFor, nextCall } from './tool-calls.ts'
import type { Turn } from './turns.ts'

/** Answer to a request, and the rule that decided it. */
export interface LabAnswer {
  readonly rule: number | null
  readonly step: number | null
  /** Short description for people. */
  readonly summary: string
  readonly conversation: LabConversation
  readonly session: number
  readonly reply:
    | { readonly kind: 'message'; readonly message: ModelMessage; readonly delivery: Delivery }
    | { readonly kind: 'failure'; readonly failure: ModelFailure }
    | { readonly kind: 'silence' }
}

/** Speed and completeness of a message's transfer. */
export type Delivery =
  | { readonly kind: 'whole' }
  | { readonly kind: 'slow'; readonly chunkMs: number }
  | { readonly kind: 'cut' }

/** Answers a request according to the scenario. */
export function answerTo(
  request: ModelRequest,
  scenario: Scenario,
  run: string,
  memory: LabMemory,
  now: number,
): LabAnswer {
  const conversation = conversationOf(request, memory.wholeHistory(run, request))
  const session = memory.sessionNumber(run, conversation, request.session ?? '')
  const choice = chooseTurn(scenario, conversation, session)
  const context = { conversation, session }
  if (choice === null) return { ...context, ...unscripted(request, scenario, conversation) }
  const place = JSON.stringify([run, conversation.task, conversation.attempt, choice.rule, choice.turn.step])
  return { ...context, ...answerWith(choice, request, scenario, { memory, place, now }) }
}

type Reply = Omit<LabAnswer, 'conversation' | 'session'>

interface FaultContext {
  readonly memory: LabMemory
  readonly place: string
  readonly now: number
}

function answerWith(
  { rule, turn }: Choice,
  request: ModelRequest,
  scenario: Scenario,
  { memory, place, now }: FaultContext,
): Reply {
  const at = { rule, step: turn.step }
  const fault = turn.fault !== null && memory.faultApplies(turn.fault, place, now) ? turn.fault.fault : null
  const failure = fault === null ? null : failureOf(fault, request, memory, place, now)
  if (failure !== null) return { ...at, summary: failureSummary(failure), reply: { kind: 'failure', failure } }
  if (fault?.kind === 'silent') return { ...at, summary: 'nothing at all', reply: { kind: 'silence' } }
  const call = turn.act === null ? null : nextCall(turn.act, request)
  if (turn.act !== null && call === null) return { ...at, ...noTool(turn.act.kind, request) }
  const message = messageOf(turn, call, request, scenario, fault)
  return {
    ...at,
    summary: messageSummary(message, fault),
    reply: { kind: 'message', message, delivery: deliveryOf(fault) },
  }
}

function failureOf(
  fault: ModelFault,
  request: ModelRequest,
  memory: LabMemory,
  place: string,
  now: number,
): ModelFailure | null {
  switch (fault.kind) {
    case 'status':
      return fault
    case 'limit':
      return { kind: 'limit', resetAt: memory.resetAt(fault.reset, place, now), now }
    case 'too-long':
      return { kind: 'too-long', tokens: request.tokens.before + request.tokens.last }
    default:
      return null
  }
}

function deliveryOf(fault: ModelFault | null): Delivery {
  return fault?.kind === 'slow' || fault?.kind === 'cut' ? fault : { kind: 'whole' }
}

function messageOf(
  turn: Pick<Turn, 'text' | 'usage'>,
  call: Omit<ModelToolCall, 'id'> | null,
  request: ModelRequest,
  scenario: Scenario,
  fault: ModelFault | null,
): ModelMessage {
  const scripted =
    turn.usage ?? scenario.usage ?? estimatedUsage(request, turn.text + JSON.stringify(call?.input ?? ''))
  const usage = scripted === 'none' ? null : scripted
  const id = `msg_lab_${randomUUID()}`
  if (fault?.kind === 'refuse') return { id, text: '', call: null, stop: 'refusal', usage }
  if (fault?.kind === 'truncate') return { id, text: turn.text, call: null, stop: 'length', usage }
  if (call === null) return { id, text: turn.text, call: null, stop: 'end', usage }
  return { id, text: turn.text, call: { ...call, id: `toolu_lab_${randomUUID()}` }, stop: 'tool', usage }
}

// Everything before the last message counts as a cache read, as with a real model.
function estimatedUsage({ tokens }: ModelRequest, answer: string): Tokens {
  return { input: tokens.last, cacheRead: tokens.before, cacheWrite: 0, output: estimateTokens(answer) }
}

/** Answers side calls such as titles and summaries, and phases that the scenario does not mention. */
function unscripted(request: ModelRequest, scenario: Scenario, conversation: LabConversation): Reply {
  const { phase } = conversation
  if (request.from === 'side') return plainAnswer({ text: 'Noted.', call: null }, 'a side call', request, scenario)
  const role = phase === null ? 'coder' : roleOfPhase({ name: phase })
  if (phase === null || isCodingPhase(phase, role)) return noRule(conversation)
  const summary = `approval of ${phase}`
  const form = rehearsedForm(role)
  const call = form === null ? null : callFor({ kind: 'answer', form }, request)
  if (call !== null) return plainAnswer({ text: '', call }, summary, request, scenario)
  return plainAnswer({ text: `${rehearsedAnswer(role)}\n${CLAIM_TAGS.done}`, call: null }, summary, request, scenario)
}

function plainAnswer(
  { text, call }: { readonly text: string; readonly call: Omit<ModelToolCall, 'id'> | null },
  summary: string,
  request: ModelRequest,
  scenario: Scenario,
): Reply {
  const message = messageOf({ text, usage: null }, call, request, scenario, null)
  return { rule: null, step: null, summary, reply: { kind: 'message', message, delivery: { kind: 'whole' } } }
}

function noRule({ task, prompt }: LabConversation): Reply {
  const about = task === null ? '' : ` of the task ${task}`
  const message = `The lab's scenario has no rule for this prompt${about}: ${JSON.stringify(prompt.slice(0, 100))}`
  return { rule: null, step: null, summary: 'no rule matches', reply: refused(message) }
}

function noTool(act: string, { tools }: ModelRequest): Pick<Reply, 'summary' | 'reply'> {
  const offered = tools.map(({ name }) => name).join(', ')
  const message = `The lab's scenario has the step ${act}, but the agent offers no tool for it: ${offered}`
  return { summary: `no tool for ${act}`, reply: refused(message) }
}

function refused(message: string): LabAnswer['reply'] {
  return { kind: 'failure', failure: { kind: 'status', status: 400, retryAfterS: null, message } }
}

function failureSummary(failure: ModelFailure): string {
  switch (failure.kind) {
    case 'status':
      return `status ${failure.status}`
    case 'limit':
      return 'a usage limit'
    case 'too-long':
      return 'prompt too long'
  }
}

function messageSummary({ call, text, stop }: ModelMessage, fault: ModelFault | null): string {
  if (stop === 'refusal') return 'a refusal'
  const what = call === null ? `said ${JSON.stringify(text.slice(0, 60))}` : callText(call)
  return fault === null ? what : `${fault.kind}: ${what}`
}

function callText({ tool, input }: ModelToolCall): string {
  return `${tool} ${JSON.stringify(input).slice(0, 60)}`
}
