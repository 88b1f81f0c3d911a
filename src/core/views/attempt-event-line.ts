import type { Assessment, AttemptEvent, Message } from '../model/attempt-event.ts'
import { QUALITIES } from '../model/opinion.ts'
import { scoreText } from '../phases/decide-on-opinion.ts'
import {
  bookkeeping,
  counted,
  detail,
  dollars,
  type EventLine,
  firstFinding,
  line,
  oneLine,
  short,
} from './line-parts.ts'
import { checkedText } from './proof.ts'
import { answerText, causeText, endText } from './round-text.ts'
import { sessionEventLine } from './session-event-line.ts'
import { toolEventLine } from './tool-event-line.ts'

/** Renders a fact of an attempt's ledger as one line. */
export function attemptEventLine(about: string, event: AttemptEvent): EventLine {
  switch (event.kind) {
    case 'attempt-opened':
      return detail(about, `opened on ${short(event.spec.base)} with driver ${event.spec.agent.driver}`)
    case 'workspace-made':
      return detail(about, `workspace ready at ${short(event.commit)}`)
    case 'verify-requested':
      return detail(about, 'trying its verify commands before any work')
    case 'verify-tried':
      return triedLine(about, event.alreadyGreen)
    case 'workspace-lost':
      return line(about, `workspace lost, rebuilding it from ${short(event.commit)}: ${oneLine(event.reason)}`, 'warn')
    case 'phase-entered':
      return phaseLine(about, event.phase, oneLine(event.why))
    case 'round-started':
      return line(about, `round ${event.round} (${event.phase}) started with ${causeText(event.cause)}`)
    case 'steering-delivered':
      return detail(about, deliveredText(event.number, event.round, event.way))
    case 'steering-deferred':
      return detail(about, `your message ${event.number} waits for the next prompt: ${oneLine(event.reason)}`)
    case 'round-ended':
      return endedLine(about, event)
    case 'checkpoint-made':
      return detail(about, `saved as ${short(event.commit)}; ${counted(event.changed, 'file')} changed since the base`)
    case 'verdict-given':
      return event.passed
        ? line(about, `checks passed in the workspace (${checkedText(event.receipts)})`)
        : line(about, `checks failed in the workspace: ${firstFinding(event.findings)}`, 'warn')
    case 'opinion-requested':
      return detail(about, `asking the judge about ${short(event.commit)}`)
    case 'opinion-given':
      return opinionLine(about, event)
    case 'work-assessed':
      return assessedLine(about, event.as, oneLine(event.why))
    case 'phase-output':
      return detail(about, `phase ${event.phase} left its output for later phases`)
    case 'round-requested':
      return detail(about, `next round starts with ${causeText(event.cause)}`)
    case 'work-submitted':
      return detail(about, `${event.phase} submitted for checks: ${oneLine(event.why)}`)
    case 'work-returned':
      return detail(about, `${returnText(event.from, event.to)}: ${firstFinding(event.findings)}`)
    case 'attempt-waiting':
      return detail(about, `${waitingFor(event.for.kind)}: ${oneLine(event.reason)}`)
    case 'ready-to-land':
      return detail(about, `ready to land ${short(event.commit)}`)
    case 'message-received':
      return (event.message.kind === 'landed' ? bookkeeping : detail)(about, `received: ${messageText(event.message)}`)
    case 'attempt-closing': {
      const text = `closing (${event.outcome}): ${oneLine(event.reason)}`
      return event.outcome === 'landed' ? bookkeeping(about, text) : detail(about, text)
    }
    case 'notice-recorded':
      return detail(about, oneLine(event.text))
    case 'workspace-released':
      return releasedLine(about, event.kept, event.salvage)
    case 'attempt-ended':
      return bookkeeping(about, `ended (${event.outcome}): ${oneLine(event.reason)}; ${dollars(event.totals.usd)}`)
    case 'work-reported':
    case 'progress-reported':
    case 'note-left':
    case 'task-proposed':
    case 'knowledge-recorded':
      return toolEventLine(about, event)
    default:
      return sessionEventLine(about, event)
  }
}

function triedLine(about: string, alreadyGreen: readonly string[]): EventLine {
  if (alreadyGreen.length === 0) return detail(about, 'none of its verify commands passed before the work')
  const named = alreadyGreen.map((command) => `"${oneLine(command)}"`).join(', ')
  return line(about, `verify proves nothing by itself: ${named} passed before any work`, 'warn')
}

function endedLine(about: string, { round, end }: Extract<AttemptEvent, { kind: 'round-ended' }>): EventLine {
  return line(about, `round ${round} ended: ${endText(end)}`, end.kind === 'ok' ? 'plain' : 'warn')
}

function phaseLine(about: string, phase: string, why: string): EventLine {
  const [, passed] = /^the (review passed.*)$/.exec(why) ?? []
  return passed === undefined ? detail(about, `phase ${phase}: ${why}`) : line(about, `${passed}; next: ${phase}`)
}

function assessedLine(about: string, as: Assessment, why: string): EventLine {
  // The question to a person has the same text.
  if (as === 'blocked') return bookkeeping(about, `assessed as blocked: ${why}`)
  return line(about, `assessed as ${as}: ${why}`, as === 'success' ? 'plain' : 'warn')
}

/** Says what an attempt waits for. */
export function waitingFor(kind: string): string {
  return WAITS[kind] ?? `waiting for ${kind}`
}

const WAITS: Readonly<Record<string, string>> = {
  person: 'waiting for you',
  limit: 'waiting for a usage limit',
  retry: 'waiting to try again',
  pause: 'waiting: paused',
}

function opinionLine(
  about: string,
  { quality, confidence, decision, why }: Extract<AttemptEvent, { kind: 'opinion-given' }>,
): EventLine {
  if (quality === null || confidence === null) {
    return line(about, `judge gave no opinion, so the checks alone decide: ${oneLine(why)}`, 'warn')
  }
  const figures = QUALITIES.map((name) => `${name} ${scoreText(quality[name])}`).join(', ')
  const text = `judge says ${decision} (${figures}; confidence ${scoreText(confidence)}): ${oneLine(why)}`
  return line(about, text, decision === 'proceed' ? 'plain' : 'warn')
}

function deliveredText(number: number, round: number, way: 'prompt' | 'session'): string {
  return way === 'prompt'
    ? `your message ${number} is in the prompt of round ${round}`
    : `your message ${number} was sent to the running session (round ${round})`
}

function messageText(message: Message): string {
  switch (message.kind) {
    case 'resume':
      return `resume (${oneLine(message.why)})`
    case 'landing-refused':
      return `landing refused (${message.cause}): ${firstFinding(message.findings)}`
    case 'landed':
      return `landed as ${short(message.commit)}`
    case 'stop':
      return `stop (${oneLine(message.reason)})`
    case 'pause':
      return `pause after this round (${oneLine(message.reason)})`
    case 'steer':
      return `your message: ${oneLine(message.text)}`
    case 'answer':
      return answerText(message.answer)
    case 'settings':
      return 'changed settings, in force from the next round on'
  }
}

function returnText(from: string, to: string): string {
  return from === to ? `${to} is not finished` : `sent back from ${from} to ${to}`
}

function releasedLine(about: string, kept: boolean, salvage: readonly string[]): EventLine {
  const text = kept ? 'workspace kept' : 'workspace removed'
  return salvage.length === 0 ? detail(about, text) : line(about, `${text}; unsaved work is in ${salvage.join(', ')}`)
}
