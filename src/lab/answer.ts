import { randomUUID } from 'node:crypto'
import type { Tokens } from '../core/model/usage.ts'
import { CLAIM_TAGS } from '../core/phases/read-report.ts'
import { isCodingPhase, rehearsedAnswer, rehearsedForm } from '../core/phases/rehearsal.ts'
import { roleOfPhase } from '../core/phases/workflows.ts'
import { type Choice, chooseTurn } from './choose-turn.ts'
import { conversationOf, type LabConversation } from './conversation.ts'
import type { Ask, Failure, ModelMessage, ModelToolCall } from './dialect.ts'
import type { LabMemory } from './memory.ts'
import { nextCall } from './progress.ts'
import type { Scenario, Trouble } from './scenario.ts'
import { estimateTokens } from './sizes.ts'
import { callFor } from './tool-calls.ts'
import type { Turn } from './turns.ts'

/** What the lab says to a request, and why. */
export interface LabAnswer {
  readonly rule: number | null
  readonly step: number | null
  /** In a few words, for a person. */
  readonly told: string
  readonly conversation: LabConversation
  readonly session: number
  readonly reply:
    | { readonly kind: 'message'; readonly message: ModelMessage; readonly delivery: Delivery }
    | { readonly kind: 'failure'; readonly failure: Failure }
    | { readonly kind: 'silence' }
}

/** How a message goes out. */
export type Delivery =
  | { readonly kind: 'whole' }
  | { readonly kind: 'slow'; readonly chunkMs: number }
  | { readonly kind: 'cut' }

/** Answers a request as the scenario says. */
export function answerTo(ask: Ask, scenario: Scenario, run: string, memory: LabMemory, now: number): LabAnswer {
  const conversation = conversationOf(ask, memory.wholeHistory(run, ask))
  const session = memory.sessionNumber(run, conversation, ask.session ?? '')
  const choice = chooseTurn(scenario, conversation, session)
  const context = { conversation, session }
  if (choice === null) return { ...context, ...unscripted(ask, scenario, conversation) }
  const place = JSON.stringify([run, conversation.task, conversation.attempt, choice.rule, choice.turn.step])
  return { ...context, ...answerWith(choice, ask, scenario, { memory, place, now }) }
}

type Reply = Omit<LabAnswer, 'conversation' | 'session'>

interface Moment {
  readonly memory: LabMemory
  readonly place: string
  readonly now: number
}

function answerWith({ rule, turn }: Choice, ask: Ask, scenario: Scenario, { memory, place, now }: Moment): Reply {
  const at = { rule, step: turn.step }
  const trouble = turn.fault !== null && memory.strikes(turn.fault, place, now) ? turn.fault.what : null
  const failure = trouble === null ? null : failureOf(trouble, ask, memory, place, now)
  if (failure !== null) return { ...at, told: toldOf(failure), reply: { kind: 'failure', failure } }
  if (trouble?.kind === 'silent') return { ...at, told: 'nothing at all', reply: { kind: 'silence' } }
  const call = turn.act === null ? null : nextCall(turn.act, ask)
  if (turn.act !== null && call === null) return { ...at, ...noTool(turn.act.kind, ask) }
  const message = messageOf(turn, call, ask, scenario, trouble)
  return {
    ...at,
    told: toldOfMessage(message, trouble),
    reply: { kind: 'message', message, delivery: deliveryOf(trouble) },
  }
}

function failureOf(trouble: Trouble, ask: Ask, memory: LabMemory, place: string, now: number): Failure | null {
  switch (trouble.kind) {
    case 'status':
      return trouble
    case 'limit':
      return { kind: 'limit', resetAt: memory.resetAt(trouble.reset, place, now), now }
    case 'too-long':
      return { kind: 'too-long', tokens: ask.tokens.before + ask.tokens.last }
    default:
      return null
  }
}

function deliveryOf(trouble: Trouble | null): Delivery {
  return trouble?.kind === 'slow' || trouble?.kind === 'cut' ? trouble : { kind: 'whole' }
}

function messageOf(
  turn: Pick<Turn, 'text' | 'usage'>,
  call: Omit<ModelToolCall, 'id'> | null,
  ask: Ask,
  scenario: Scenario,
  trouble: Trouble | null,
): ModelMessage {
  const told = turn.usage ?? scenario.usage ?? estimatedUsage(ask, turn.text + JSON.stringify(call?.input ?? ''))
  const usage = told === 'none' ? null : told
  const id = `msg_lab_${randomUUID()}`
  if (trouble?.kind === 'refuse') return { id, text: '', call: null, stop: 'refusal', usage }
  if (trouble?.kind === 'truncate') return { id, text: turn.text, call: null, stop: 'length', usage }
  if (call === null) return { id, text: turn.text, call: null, stop: 'end', usage }
  return { id, text: turn.text, call: { ...call, id: `toolu_lab_${randomUUID()}` }, stop: 'tool', usage }
}

// What was sent before is taken to come from the cache, as it does with a real model.
function estimatedUsage({ tokens }: Ask, answer: string): Tokens {
  return { input: tokens.last, cacheRead: tokens.before, cacheWrite: 0, output: estimateTokens(answer) }
}

/** Titles, summaries and the like, and phases that the scenario says nothing about: any fitting text will do. */
function unscripted(ask: Ask, scenario: Scenario, conversation: LabConversation): Reply {
  const { phase } = conversation
  if (ask.from === 'side') return plainAnswer({ text: 'Noted.', call: null }, 'a side call', ask, scenario)
  const role = phase === null ? 'coder' : roleOfPhase({ name: phase })
  if (phase === null || isCodingPhase(phase, role)) return noRule(conversation)
  const told = `nothing in the way of ${phase}`
  const form = rehearsedForm(role)
  const call = form === null ? null : callFor({ kind: 'answer', form }, ask)
  if (call !== null) return plainAnswer({ text: '', call }, told, ask, scenario)
  return plainAnswer({ text: `${rehearsedAnswer(role)}\n${CLAIM_TAGS.done}`, call: null }, told, ask, scenario)
}

function plainAnswer(
  { text, call }: { readonly text: string; readonly call: Omit<ModelToolCall, 'id'> | null },
  told: string,
  ask: Ask,
  scenario: Scenario,
): Reply {
  const message = messageOf({ text, usage: null }, call, ask, scenario, null)
  return { rule: null, step: null, told, reply: { kind: 'message', message, delivery: { kind: 'whole' } } }
}

function noRule({ task, prompt }: LabConversation): Reply {
  const about = task === null ? '' : ` of the task ${task}`
  const message = `The lab's scenario has no rule for this prompt${about}: ${JSON.stringify(prompt.slice(0, 100))}`
  return { rule: null, step: null, told: 'no rule fits', reply: refused(message) }
}

function noTool(act: string, { tools }: Ask): Pick<Reply, 'told' | 'reply'> {
  const offered = tools.map(({ name }) => name).join(', ')
  const message = `The lab's scenario wants to ${act}, and the agent offers no tool for it: ${offered}`
  return { told: `no tool to ${act} with`, reply: refused(message) }
}

function refused(message: string): LabAnswer['reply'] {
  return { kind: 'failure', failure: { kind: 'status', status: 400, retryAfterS: null, message } }
}

function toldOf(failure: Failure): string {
  switch (failure.kind) {
    case 'status':
      return `status ${failure.status}`
    case 'limit':
      return 'a usage limit'
    case 'too-long':
      return 'prompt too long'
  }
}

function toldOfMessage({ call, text, stop }: ModelMessage, trouble: Trouble | null): string {
  if (stop === 'refusal') return 'a refusal'
  const what = call === null ? `said ${JSON.stringify(text.slice(0, 60))}` : callText(call)
  return trouble === null ? what : `${trouble.kind}: ${what}`
}

function callText({ tool, input }: ModelToolCall): string {
  return `${tool} ${JSON.stringify(input).slice(0, 60)}`
}
