/** Formats a length of time with its two largest units: 12s, 4m07s, 1h05m, 2d03h. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < MINUTE_S) return `${seconds}s`
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)}m${twoDigits(seconds % MINUTE_S)}s`
  if (seconds < DAY_S) return `${Math.floor(seconds / HOUR_S)}h${twoDigits(Math.floor((seconds % HOUR_S) / MINUTE_S))}m`
  return `${Math.floor(seconds / DAY_S)}d${twoDigits(Math.floor((seconds % DAY_S) / HOUR_S))}h`
}

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
