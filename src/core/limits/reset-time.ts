/** Returns the reset time in an agent's message about a usage limit, or null when it names none. */
export function resetInText(text: string, now: number, localZone: string): number | null {
  return epoch(text) ?? isoTime(text) ?? timeOfDay(text, now, localZone) ?? waitingTime(text, now)
}

const SECOND_MS = 1000
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** "usage limit reached|1794700800" */
function epoch(text: string): number | null {
  const seconds = /\blimit[^|\n]*\|(\d{10})\b/i.exec(text)?.[1]
  return seconds === undefined ? null : Number(seconds) * SECOND_MS
}

/** "resets at 2026-11-15T20:00:00Z" */
function isoTime(text: string): number | null {
  const written = /\bresets?\b[^\n]*?(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d))/i.exec(
    text,
  )?.[1]
  const at = written === undefined ? Number.NaN : Date.parse(written)
  return Number.isNaN(at) ? null : at
}

/** "retry after 90 seconds", "try again in 2h 5m", "resets in 40 minutes" */
function waitingTime(text: string, now: number): number | null {
  const delay = /\b(?:retry[- ]after:?|try again in|resets? in)\s+((?:\d+\s*[a-z]*[\s,]*(?:and\s+)?)+)/i.exec(text)?.[1]
  if (delay === undefined) return null
  const parts = [...delay.matchAll(/(\d+)\s*([a-z]?)[a-z]*/gi)]
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit?.toLowerCase() || 's'] ?? 0), 0)
  return ms > 0 ? now + ms : null
}

const TIME_OF_DAY =
  /\bresets?\s+(?:at\s+|on\s+)?(?:(?<month>[a-z]{3})[a-z]*\.?\s+(?<day>\d{1,2})(?:,|\s+at)?\s+)?(?<hour>\d{1,2})(?::(?<minute>\d\d))?\s*(?<half>[ap]\.?m\b\.?)?(?:\s*\((?<zone>[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*)\))?/i

/** "resets 3pm (America/New_York)", "resets Nov 20, 9:30am (Europe/Berlin)" */
function timeOfDay(text: string, now: number, localZone: string): number | null {
  const match = TIME_OF_DAY.exec(text)?.groups
  if (match === undefined || (match.half === undefined && match.minute === undefined)) return null
  const wall = wallClock(match.zone ?? localZone)
  const hour = hourOf(Number(match.hour), match.half?.[0]?.toLowerCase())
  const minute = Number(match.minute ?? 0)
  if (wall === null || hour === null || minute > 59) return null
  const month = match.month === undefined ? null : MONTHS.indexOf(match.month.toLowerCase())
  if (month === -1) return null
  const today = wall.dateAt(now)
  const at = (day: CalendarDay) => wall.momentOf(day, hour, minute)
  if (month !== null)
    return at({ ...today, month, day: Number(match.day), year: today.year + (month < today.month ? 1 : 0) })
  return at(today) > now ? at(today) : at({ ...today, day: today.day + 1 })
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour < 24 ? hour : null
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

/** Calendar day; months count from 0, and days past the end of a month roll over. */
interface CalendarDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** Returns local time in a zone, or null for an unknown zone. */
function wallClock(zone: string) {
  try {
    const form = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...({ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const),
    })
    return { dateAt: (at: number) => dateAt(form, at), momentOf: (...day: WallTime) => momentOf(form, ...day) }
  } catch {
    return null // this machine does not know the zone
  }
}

type WallTime = [day: CalendarDay, hour: number, minute: number]

function dateAt(
  form: Intl.DateTimeFormat,
  at: number,
): CalendarDay & { readonly hour: number; readonly minute: number } {
  const part = Object.fromEntries(form.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part
  return { year, month: month - 1, day, hour, minute }
}

/** Returns the moment of a local time: read as UTC, then shifted by the zone's offset. */
function momentOf(form: Intl.DateTimeFormat, { year, month, day }: CalendarDay, hour: number, minute: number): number {
  const wanted = Date.UTC(year, month, day, hour, minute)
  const differs = (at: number) => {
    const shown = dateAt(form, at)
    return Date.UTC(shown.year, shown.month, shown.day, shown.hour, shown.minute) - at
  }
  // Twice, because near a clock change the first guess may be on the other side of it.
  return wanted - differs(wanted - differs(wanted))
}

/** Reset of a usage limit: at a time, or some time after the limit was hit. */
export type Reset = { readonly kind: 'at'; readonly at: number } | { readonly kind: 'after'; readonly ms: number }

/** Parses an ISO time, epoch seconds or "+SECONDS"; returns null for anything else. */
export function parseReset(written: unknown): Reset | null {
  if (typeof written === 'number') return epochSeconds(written)
  if (typeof written !== 'string') return null
  const after = /^\+(\d+(?:\.\d+)?)$/.exec(written)?.[1]
  if (after !== undefined) return { kind: 'after', ms: Number(after) * 1000 }
  if (/^\d+$/.test(written)) return epochSeconds(Number(written))
  const at = ISO_TIME.test(written) ? Date.parse(written) : Number.NaN
  return Number.isNaN(at) ? null : { kind: 'at', at }
}

// Date.parse alone would also accept "May".
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/
// The year 5138; a larger number is milliseconds.
const EPOCH_SECONDS_MAX = 100_000_000_000

function epochSeconds(written: number): Reset | null {
  return written >= 0 && written < EPOCH_SECONDS_MAX ? { kind: 'at', at: written * 1000 } : null
}
