import { JITTER_SHARE_MAX, RESET_SLACK_MS_MAX } from './limits.ts'

interface Delays {
  readonly errorDelayMs: number
  readonly errorDelayMsMax: number
  readonly limitDelayMs: number
  readonly limitDelayMsMax: number
}

/** How long to wait after the n-th error in a row. */
export function errorDelayMs(errors: number, delays: Delays): number {
  return Math.min(delays.errorDelayMsMax, delays.errorDelayMs * errors)
}

/** When work goes on after a usage limit: at its reset time, or by doubling delays when that is unknown. */
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

/** A share between 0 and 1 that a random id stands for. */
function chanceOf(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8), 16) / 0xffff_ffff
}
