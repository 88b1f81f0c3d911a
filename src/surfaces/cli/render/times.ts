/** Formats moments in local time: the time of day, with the date when it is not today. */
export function timeFormatter(now: number): (at: number) => string {
  const today = dayOf(now)
  return (at) => (dayOf(at) === today ? timeOf(at) : `${dayOf(at)} ${timeOf(at)}`)
}

/** Formats date and time. */
export function dateAndTime(at: number): string {
  return `${dayOf(at)} ${timeOf(at)}`
}

/** Formats the time of day. */
export function timeOf(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')
}

function dayOf(at: number): string {
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
