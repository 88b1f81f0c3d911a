import type { Answer, AttemptEvent, Message, RoundCause } from '../model/attempt-event.ts'
import { QUALITIES } from '../model/opinion.ts'
import type { RoundEnd } from '../model/round.ts'
import { scoreText } from '../phases/decide-on-opinion.ts'
import { clause, counted, detail, dollars, type EventLine, firstFinding, line, oneLine, short } from './line-parts.ts'
import { checkedText } from './proof.ts'
import { sessionEventLine } from './session-event-line.ts'
import { toolEventLine } from './tool-event-line.ts'

/** Puts a fact of an attempt's ledger into words. */
export function attemptEventLine(about: string, event: AttemptEvent): EventLine {
  switch (event.kind) {
    case 'attempt-opened':
      return detail(about, `opened on ${short(event.spec.base)} with the driver ${event.spec.agent.driver}`)
    case 'workspace-made':
      return detail(about, `its workspace is ready at ${short(event.commit)}`)
    case 'workspace-lost':
      return line(about, `its workspace is made again from ${short(event.commit)}: ${oneLine(event.reason)}`, 'warn')
    case 'phase-entered':
      return detail(about, `phase ${event.phase}: ${oneLine(event.why)}`)
    case 'round-started':
      return line(about, `round ${event.round} of ${event.phase} began: ${causeText(event.cause)}`)
    case 'steering-delivered':
      return detail(about, steeringText(event.number, event.round, event.way))
    case 'steering-deferred':
      return detail(about, `what a person said (number ${event.number}) waits for the next prompt: ${event.reason}`)
    case 'round-ended':
      return line(
        about,
        `round ${event.round} ended: ${endText(event.end)}`,
        event.end.kind === 'ok' ? 'plain' : 'warn',
      )
    case 'checkpoint-made':
      return detail(about, `saved as ${short(event.commit)}; ${counted(event.changed, 'file')} changed since the base`)
    case 'verdict-given':
      return event.passed
        ? line(about, `checked in its workspace: passed (${checkedText(event.receipts)})`)
        : line(about, `checked in its workspace: ${firstFinding(event.findings)}`, 'warn')
    case 'opinion-requested':
      return detail(about, `the judge is asked about ${short(event.commit)}`)
    case 'opinion-given':
      return opinionLine(about, event)
    case 'work-assessed':
      return line(about, `assessed as ${event.as}: ${oneLine(event.why)}`, event.as === 'success' ? 'plain' : 'warn')
    case 'phase-output':
      return detail(about, `the phase ${event.phase} left a text for those after it`)
    case 'round-requested':
      return detail(about, `is asked further: ${causeText(event.cause)}`)
    case 'work-submitted':
      return detail(about, `${event.phase} is to be checked: ${oneLine(event.why)}`)
    case 'work-returned':
      return detail(about, `${wayBack(event.from, event.to)}: ${firstFinding(event.findings)}`)
    case 'attempt-waiting':
      return detail(about, `waits (${event.for.kind}): ${oneLine(event.reason)}`)
    case 'ready-to-land':
      return detail(about, `ready to land ${short(event.commit)}`)
    case 'message-received':
      return detail(about, `was told: ${messageText(event.message)}`)
    case 'attempt-closing':
      return detail(about, `closes (${event.outcome}): ${oneLine(event.reason)}`)
    case 'notice-recorded':
      return detail(about, oneLine(event.text))
    case 'workspace-released':
      return releasedLine(about, event.kept, event.salvage)
    case 'attempt-ended':
      return detail(about, `ended (${event.outcome}): ${oneLine(event.reason)}; ${dollars(event.totals.usd)}`)
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

function opinionLine(
  about: string,
  { quality, confidence, decision, why }: Extract<AttemptEvent, { kind: 'opinion-given' }>,
): EventLine {
  if (quality === null || confidence === null) {
    return line(about, `no opinion of the judge, so the checks alone decide: ${oneLine(why)}`, 'warn')
  }
  const figures = QUALITIES.map((name) => `${name} ${scoreText(quality[name])}`).join(', ')
  const text = `the judge says ${decision} (${figures}; confidence ${scoreText(confidence)}): ${oneLine(why)}`
  return line(about, text, decision === 'proceed' ? 'plain' : 'warn')
}

/** Why a round was sent, in words. */
export function causeText(cause: RoundCause): string {
  switch (cause.kind) {
    case 'brief':
      return 'the brief'
    case 'continue':
      return `go on, ${clause(cause.why)}`
    case 'lost':
      return 'go on, the last round was cut off'
    case 'findings':
      return `findings of ${cause.from}: ${firstFinding(cause.findings)}`
    case 'fresh-session':
      return `a fresh session (${clause(cause.why)})`
    case 'decide':
      return 'to decide on what it found'
    case 'again':
      return clause(cause.why)
    case 'answer':
      return `a person answered: ${oneLine(cause.text)}`
  }
}

/** How a round ended, in words. */
export function endText({ kind, detail: why, claim }: Pick<RoundEnd, 'kind' | 'detail' | 'claim'>): string {
  const claimed = claim === null ? '' : `, the agent says ${claim.kind}`
  const reason = claim?.kind === 'blocked' ? `: ${oneLine(claim.reason)}` : ''
  const told = kind === 'ok' || why === '' ? '' : ` (${oneLine(why)})`
  return `${kind}${told}${claimed}${reason}`
}

function steeringText(number: number, round: number, way: 'prompt' | 'session'): string {
  const where = way === 'prompt' ? `is in the prompt of round ${round}` : `was said into the session of round ${round}`
  return `what a person said (number ${number}) ${where}`
}

function messageText(message: Message): string {
  switch (message.kind) {
    case 'resume':
      return `go on, ${oneLine(message.why)}`
    case 'landing-refused':
      return `its landing was refused (${message.cause}): ${firstFinding(message.findings)}`
    case 'landed':
      return `landed as ${short(message.commit)}`
    case 'stop':
      return `stop, ${oneLine(message.reason)}`
    case 'pause':
      return `wait after this round, ${oneLine(message.reason)}`
    case 'steer':
      return `a person says: ${oneLine(message.text)}`
    case 'answer':
      return `a person ${answerText(message.answer)}`
  }
}

/** What a person answered, in words. */
export function answerText({ kind, text }: Answer): string {
  return text === '' ? kind : `${kind}: ${oneLine(text)}`
}

function wayBack(from: string, to: string): string {
  return from === to ? `not done with ${to} yet` : `sent back from ${from} to ${to}`
}

function releasedLine(about: string, kept: boolean, salvage: readonly string[]): EventLine {
  const what = kept ? 'its workspace is kept' : 'its workspace is removed'
  return salvage.length === 0 ? detail(about, what) : line(about, `${what}; unsaved work is in ${salvage.join(', ')}`)
}
