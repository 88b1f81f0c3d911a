// Defaults that follow what was written beside them: only what is written can contradict.

/** How many attempts and agents may go on at once. */
export function ceilingsOf({ parallel, coding, total }: Ceilings): Required<Settled<Ceilings>> {
  const all = total ?? Math.max(10, coding ?? parallel ?? 0)
  const most = coding ?? Math.min(all, Math.max(5, parallel ?? 0))
  return { parallel: parallel ?? Math.min(3, most), coding: most, total: all }
}

export interface Ceilings {
  readonly parallel?: number | undefined
  readonly coding?: number | undefined
  readonly total?: number | undefined
}

/** Between how many turns a round's limit lies. */
export function turnBoundsOf({ preset, min, max }: TurnBounds): { readonly min: number; readonly max: number } {
  const usual = TURN_BOUNDS[preset]
  return {
    min: min ?? Math.min(usual.min, max ?? usual.min),
    max: max ?? Math.max(usual.max, min ?? usual.max),
  }
}

export interface TurnBounds {
  readonly preset: keyof typeof TURN_BOUNDS
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/** The usual bounds of each table of turn limits. */
export const TURN_BOUNDS = { default: { min: 15, max: 150 }, lean: { min: 3, max: 30 } } as const

/** The most seconds to wait after errors and at limits. */
export function delaysMaxOf(delays: Delays): { readonly error: number; readonly limit: number } {
  return {
    error: delays.error_delay_max ?? Math.max(300, delays.error_delay),
    limit: delays.limit_delay_max ?? Math.max(3600, delays.limit_delay),
  }
}

export interface Delays {
  readonly error_delay: number
  readonly error_delay_max?: number | undefined
  readonly limit_delay: number
  readonly limit_delay_max?: number | undefined
}

/** The seconds that a judge has for an answer; an agent has to be started first. */
export function judgeSecondsOf(driver: string): number {
  return driver === 'agent' ? 120 : 30
}

type Settled<T> = { readonly [Key in keyof T]: Exclude<T[Key], undefined> }
