import { eventLine } from '../../../core/views/event-line.ts'
import type { EventLine } from '../../../core/views/line-parts.ts'
import type { Output } from '../output.ts'
import type { AnnouncedEvent } from '../repository/announcing-store.ts'
import { left, printable, widthOf, wrap } from './columns.ts'
import { dateAndTime, timeFormatter, timeOf } from './times.ts'

/** Renders an event for programs. Events that a run copies from an attempt have their number there as `attemptSeq`. */
export function jsonEvent({ seq, at, ledger, event }: AnnouncedEvent): Readonly<Record<string, unknown>> {
  const { kind, seq: attemptSeq, ...rest } = event as { readonly kind: string; readonly seq?: number }
  const taken = attemptSeq === undefined ? {} : { attemptSeq }
  return { seq, at: new Date(at).toISOString(), ledger, kind, ...taken, ...rest }
}

/** Renders an event on one line, or null for a detail that only the log shows. */
export function liveLine({ at, ledger, event }: AnnouncedEvent, colors: Output['colors']): string | null {
  const line = eventLine(ledger, event, timeFormatter(at))
  return line.shownIn !== 'run' ? null : rendered(timeOf(at), line, colors)
}

/** Renders an event for the log, wrapped to the terminal; `kinds: 'all'` includes bookkeeping. */
export function logLines(
  { at, ledger, event }: AnnouncedEvent,
  { colors, width }: Pick<Output, 'colors' | 'width'>,
  kinds: 'usual' | 'all' = 'usual',
): readonly string[] {
  const { about, text, tone, shownIn } = eventLine(ledger, event, timeFormatter(at))
  if (shownIn === 'json' && kinds === 'usual') return []
  const head = `${dateAndTime(at)}  ${nameOf(about)}  `
  const room = width === null || width < widthOf(head) + TEXT_WIDTH_MIN ? null : width - widthOf(head)
  const [first = '', ...more] = wrap(text, room).map(toned(tone, colors))
  return [
    `${colors.dim(dateAndTime(at))}  ${colors.bold(nameOf(about))}  ${first}`,
    ...more.map((line) => `${' '.repeat(widthOf(head))}${line}`),
  ]
}

const TEXT_WIDTH_MIN = 20

function rendered(time: string, { about, text, tone }: EventLine, colors: Output['colors']): string {
  return `${colors.dim(time)}  ${colors.bold(nameOf(about))}  ${toned(tone, colors)(printable(text))}`
}

function nameOf(about: string): string {
  return left(about === '' ? 'run' : about, NAME_WIDTH)
}

const NAME_WIDTH = 16

function toned(tone: EventLine['tone'], colors: Output['colors']): (text: string) => string {
  switch (tone) {
    case 'good':
      return colors.green
    case 'warn':
      return colors.yellow
    case 'bad':
      return colors.red
    case 'plain':
      return (text) => text
  }
}
