import type { Answer, RoundCause } from '../model/attempt-event.ts'
import type { RoundEnd } from '../model/round.ts'
import { clause, firstFinding, oneLine } from './line-parts.ts'

/** Names the prompt that started a round. */
export function causeText(cause: RoundCause): string {
  switch (cause.kind) {
    case 'brief':
      return 'the brief'
    case 'continue':
      return `a request to continue (${clause(cause.why)})`
    case 'lost':
      return 'a request to continue (the last round was interrupted)'
    case 'findings':
      return `findings from ${cause.from}: ${firstFinding(cause.findings)}`
    case 'fresh-session':
      return `a fresh session (${clause(cause.why)})`
    case 'decide':
      return 'a request for a verdict'
    case 'again':
      return `a repeated request (${clause(cause.why)})`
    case 'answer':
      return `your answer: ${oneLine(cause.text)}`
  }
}

/** Describes how a round ended and what the agent claims. */
export function endText({ kind, detail, claim }: Pick<RoundEnd, 'kind' | 'detail' | 'claim'>): string {
  const reason = kind === 'ok' || detail === '' ? '' : ` (${oneLine(detail)})`
  const claimed = claim === null ? '' : `, agent says ${claim.kind}`
  const blocker = claim?.kind === 'blocked' ? `: ${oneLine(claim.reason)}` : ''
  return `${kind}${reason}${claimed}${blocker}`
}

/** Describes the user's reply to a waiting attempt. */
export function answerText({ kind, text }: Answer): string {
  return text === '' ? `you ${kind}` : `you ${kind}: ${oneLine(text)}`
}
