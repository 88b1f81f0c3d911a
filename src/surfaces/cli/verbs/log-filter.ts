import { type Command, InvalidArgumentError, Option } from 'commander'
import { EVENT_KINDS } from '../../../core/model/event-kinds.ts'
import { nearestName } from '../../../core/reading/nearest-name.ts'
import { eventLine } from '../../../core/views/event-line.ts'
import { LEVELS, type Level, levelOf } from '../../../core/views/line-parts.ts'
import type { AnnouncedEvent } from '../repository/announcing-store.ts'
import { attemptFilter, taskFilter } from '../repository/task-filter.ts'
import { type TypedArguments, textOption } from '../verb.ts'

/** Gives a command the options that choose among facts. */
export function offerLogFilter(command: Command): void {
  command
    .option('--task <task>', 'only what concerns this task')
    .option('--attempt <attempt>', 'only what concerns this attempt')
    .option('--kind <kinds>', 'only facts of these kinds, separated by commas', kindsOf)
    .addOption(new Option('--level <level>', 'only what matters at least so much').choices([...LEVELS]))
    .option('--since <when>', 'only what came since a date (2026-11-15T09:30) or in the last 45m, 2h, 3d', sinceOf)
}

/** Tells which facts were asked for. */
export function logFilter(given: TypedArguments, now: number): (heard: AnnouncedEvent) => boolean {
  const { options } = given
  const [task, attempt] = [textOption(given, 'task'), textOption(given, 'attempt')]
  const kinds = options.kind as ReadonlySet<string> | undefined
  const level = options.level as Level | undefined
  const since = (options.since as Since | undefined)?.(now)
  const tests: ((heard: AnnouncedEvent) => boolean)[] = [
    ...(since === undefined ? [] : [({ at }: AnnouncedEvent) => at >= since]),
    ...(kinds === undefined ? [] : [({ event }: AnnouncedEvent) => kinds.has(event.kind)]),
    ...(task === null ? [] : [taskFilter(task)]),
    ...(attempt === null ? [] : [attemptFilter((name) => name === attempt)]),
    ...(level === undefined ? [] : [(heard: AnnouncedEvent) => matters(heard, level)]),
  ]
  return (heard) => tests.every((test) => test(heard))
}

function matters({ ledger, event }: AnnouncedEvent, level: Level): boolean {
  return LEVELS.indexOf(levelOf(eventLine(ledger, event, String))) >= LEVELS.indexOf(level)
}

/** Kinds as they were typed, or a refusal that names the nearest. */
function kindsOf(text: string): ReadonlySet<string> {
  const kinds = text.split(',').map((kind) => kind.trim())
  const unknown = kinds.find((kind) => !EVENT_KINDS.includes(kind))
  if (unknown === undefined) return new Set(kinds)
  const nearest = nearestName(unknown, EVENT_KINDS)
  throw new InvalidArgumentError(nearest === null ? 'docs/guides/log.md lists them.' : `Did you mean ${nearest}?`)
}

/** A moment, once it is known what time it is. */
type Since = (now: number) => number

/** A moment as it was typed: a date, or how long ago. */
function sinceOf(text: string): Since {
  const [, amount, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (amount !== undefined) return (now) => now - Number(amount) * (UNIT_MS[unit] ?? 0)
  // A day alone would be taken for one in UTC.
  const at = DATE.test(text) ? Date.parse(text.length === DAY_LENGTH ? `${text}T00:00` : text) : Number.NaN
  if (Number.isNaN(at)) throw new InvalidArgumentError('Write a date such as 2026-11-15T09:30, or 45m, 2h, 3d.')
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
