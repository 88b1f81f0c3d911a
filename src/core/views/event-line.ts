import type { AttemptEvent } from '../model/attempt-event.ts'
import type { LedgerId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import { attemptEventLine } from './attempt-event-line.ts'
import type { EventLine, FormatTime } from './line-parts.ts'
import { runEventLine } from './run-event-line.ts'

/** Renders a fact of any ledger as one line. */
export function eventLine(ledger: LedgerId, event: { readonly kind: string }, formatTime: FormatTime): EventLine {
  const [sort = '', ...name] = ledger.split('/')
  return sort === 'attempt'
    ? attemptEventLine(name.join('/'), event as AttemptEvent)
    : runEventLine(event as RunEvent, formatTime)
}
