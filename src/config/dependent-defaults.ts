// Defaults that depend on other keys, so that only written values can contradict each other.

/** Returns how many attempts and agents may run at the same time. */
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

/** Returns the bounds of a round's turn limit. */
export function turnBoundsOf({ preset, min, max }: TurnBounds): { readonly min: number; readonly max: number } {
  const byDefault = TURN_BOUNDS[preset]
  return {
    min: min ?? Math.min(byDefault.min, max ?? byDefault.min),
    max: max ?? Math.max(byDefault.max, min ?? byDefault.max),
  }
}

export interface TurnBounds {
  readonly preset: keyof typeof TURN_BOUNDS
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/** Default bounds of each table of turn limits. */
export const TURN_BOUNDS = { default: { min: 15, max: 150 }, lean: { min: 3, max: 30 } } as const

/** Returns the maximum seconds to wait after errors and at usage limits. */
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

/** Returns the seconds that a judge has to answer; an agent takes longer, because it has to start first. */
export function judgeSecondsOf(driver: string): number {
  return driver === 'agent' ? 120 : 30
}

/** True when nothing may start without the sandbox: whoever asks for the strict one wants that. */
export function sandboxRequired({
  level,
  required,
}: {
  readonly level: string
  readonly required?: boolean | undefined
}): boolean {
  return required ?? level === 'strict'
}

type Settled<T> = { readonly [Key in keyof T]: Exclude<T[Key], undefined> }
