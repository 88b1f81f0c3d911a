import { type Command, InvalidArgumentError, Option } from 'commander'
import { EVENT_KINDS } from '../../../core/model/event-kinds.ts'
import { nearestName } from '../../../core/reading/nearest-name.ts'
import { eventLine } from '../../../core/views/event-line.ts'
import { LEVELS, type Level, levelOf } from '../../../core/views/line-parts.ts'
import type { AnnouncedEvent } from '../repository/announcing-store.ts'
import { attemptFilter, taskFilter } from '../repository/task-filter.ts'
import { type TypedArguments, textOption } from '../verb.ts'

/** Adds the options that filter events to a command. */
export function offerLogFilter(command: Command): void {
  command
    .option('--task <task>', 'only events of this task')
    .option('--attempt <attempt>', 'only events of this attempt')
    .option('--kind <kinds>', 'only events of these kinds, separated by commas', kindsOf)
    .addOption(new Option('--level <level>', 'only events of at least this level').choices([...LEVELS]))
    .option('--since <when>', 'only events since a date (2026-11-15T09:30), or of the last 45m, 2h, 3d', sinceOf)
}

/** Filters events as the options ask. */
export function logFilter(typed: TypedArguments, now: number): (event: AnnouncedEvent) => boolean {
  const { options } = typed
  const [task, attempt] = [textOption(typed, 'task'), textOption(typed, 'attempt')]
  const kinds = options.kind as ReadonlySet<string> | undefined
  const level = options.level as Level | undefined
  const since = (options.since as Since | undefined)?.(now)
  const tests: ((event: AnnouncedEvent) => boolean)[] = [
    ...(since === undefined ? [] : [({ at }: AnnouncedEvent) => at >= since]),
    ...(kinds === undefined ? [] : [({ event }: AnnouncedEvent) => kinds.has(event.kind)]),
    ...(task === null ? [] : [taskFilter(task)]),
    ...(attempt === null ? [] : [attemptFilter((name) => name === attempt)]),
    ...(level === undefined ? [] : [(event: AnnouncedEvent) => hasLevel(event, level)]),
  ]
  return (event) => tests.every((test) => test(event))
}

function hasLevel({ ledger, event }: AnnouncedEvent, level: Level): boolean {
  return LEVELS.indexOf(levelOf(eventLine(ledger, event, String))) >= LEVELS.indexOf(level)
}

/** Parses kinds; an unknown one is refused with the nearest name. */
function kindsOf(text: string): ReadonlySet<string> {
  const kinds = text.split(',').map((kind) => kind.trim())
  const unknown = kinds.find((kind) => !EVENT_KINDS.includes(kind))
  if (unknown === undefined) return new Set(kinds)
  const nearest = nearestName(unknown, EVENT_KINDS)
  throw new InvalidArgumentError(nearest === null ? 'docs/facts.md lists them.' : `Did you mean ${nearest}?`)
}

/** Resolves to a moment when given the current time. */
type Since = (now: number) => number

/** Parses a date, or how long ago. */
function sinceOf(text: string): Since {
  const [, amount, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (amount !== undefined) return (now) => now - Number(amount) * (UNIT_MS[unit] ?? 0)
  // Date.parse reads a date without a time as UTC.
  const at = DATE.test(text) ? Date.parse(text.length === DAY_LENGTH ? `${text}T00:00` : text) : Number.NaN
  if (Number.isNaN(at)) throw new InvalidArgumentError('Use a date such as 2026-11-15T09:30, or 45m, 2h, 3d.')
  return () => at
}

const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/
const DAY_LENGTH = 'YYYY-MM-DD'.length
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}
