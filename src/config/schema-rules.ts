import type { z } from 'zod'

// Rules between keys. As with types, a message says what the value must be: "context.hand_off must be …; got …".

/** The context thresholds go up; a hand-off above 1 is switched off. */
export function thresholdsRise({ warn, hand_off, critical }: Thresholds, rule: z.RefinementCtx): void {
  const isOff = hand_off > 1
  if (!isOff && hand_off <= warn) complain(rule, 'hand_off', `above context.warn (${warn})`, RISING)
  if (!isOff && critical <= hand_off) complain(rule, 'critical', `above context.hand_off (${hand_off})`, RISING)
  if (isOff && critical <= warn) complain(rule, 'critical', `above context.warn (${warn})`, RISING)
}

const RISING = 'Let warn be the smallest and critical the largest; a hand_off above 1 switches hand-offs off.'

interface Thresholds {
  readonly warn: number
  readonly hand_off: number
  readonly critical: number
}

/** The fewest turns are no more than the most, and for lean at least three. */
export function turnsFit({ preset, min, max }: Turns, rule: z.RefinementCtx): void {
  const bounds = TURN_BOUNDS[preset]
  const hint = `Without min and max, ${preset} goes from ${bounds.min} to ${bounds.max}.`
  const least = min ?? Math.min(bounds.min, max ?? bounds.min)
  if (preset === 'lean' && min !== undefined && min < bounds.min) complain(rule, 'min', 'at least 3 for lean', hint)
  if (max !== undefined && max < least) complain(rule, 'max', `at least turns.min (${least})`, hint)
}

/** The bounds of each table of turn limits. */
export const TURN_BOUNDS = { default: { min: 15, max: 150 }, lean: { min: 3, max: 30 } } as const

interface Turns {
  readonly preset: keyof typeof TURN_BOUNDS
  readonly min?: number | undefined
  readonly max?: number | undefined
}
