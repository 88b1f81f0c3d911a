/** Tells moments in the user's own time: the time of day, with the date when it is not today. */
export function timeFormatter(now: number): (at: number) => string {
  const today = dayOf(now)
  return (at) => (dayOf(at) === today ? timeOf(at) : `${dayOf(at)} ${timeOf(at)}`)
}

/** Date and time, always both. */
export function dateAndTime(at: number): string {
  return `${dayOf(at)} ${timeOf(at)}`
}

/** The time of day. */
export function timeOf(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')
}

/** A length of time in words. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

function dayOf(at: number): string {
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
