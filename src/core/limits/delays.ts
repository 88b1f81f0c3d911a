import { JITTER_SHARE_MAX, RESET_SLACK_MS_MAX } from './limits.ts'

interface Delays {
  readonly errorDelayMs: number
  readonly errorDelayMsMax: number
  readonly limitDelayMs: number
  readonly limitDelayMsMax: number
}

/** Returns the delay after the n-th consecutive error. */
export function errorDelayMs(errors: number, delays: Delays): number {
  return Math.min(delays.errorDelayMsMax, delays.errorDelayMs * errors)
}

/** Returns the end of a usage limit: its reset time, or a doubling delay when that is unknown. */
export function limitEndsAt(
  at: number,
  resetAt: number | null,
  hits: number,
  uuid: string,
  delays: Delays,
): { readonly until: number; readonly estimated: boolean } {
  const chance = chanceOf(uuid)
  if (resetAt !== null && resetAt > at) {
    const slack = Math.min(RESET_SLACK_MS_MAX, delays.limitDelayMs)
    return { until: resetAt + Math.round(chance * slack), estimated: false }
  }
  const delay = Math.min(delays.limitDelayMsMax, delays.limitDelayMs * 2 ** (hits - 1))
  return { until: at + Math.round(delay * (1 + JITTER_SHARE_MAX * chance)), estimated: true }
}

/** Returns a share between 0 and 1, derived from a random id. */
function chanceOf(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8), 16) / 0xffff_ffff
}
