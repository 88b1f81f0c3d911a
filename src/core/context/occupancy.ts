import type { HandOverMoment } from '../model/round.ts'
import type { ContextSettings } from '../model/settings.ts'
import type { Tokens } from '../model/usage.ts'

/** Occupancy of a context window. */
export interface Occupancy {
  readonly used: number
  readonly size: number
  readonly share: number
}

/** Returns the tokens that a main-loop call holds in the window: all input, cached or not. */
export function tokensHeld({ input, cacheRead, cacheWrite }: Tokens): number {
  return input + cacheRead + cacheWrite
}

/** Returns the occupancy of a session after its last main-loop call, or null when the agent reports no usage. */
export function occupancy(used: number | null, window: number | null, { cap }: ContextSettings): Occupancy | null {
  if (used === null) return null
  const size = windowSize(window, cap)
  return { used, size, share: used / size }
}

/** Returns the size of a full window: the model's own, or the cap, past which re-reading makes every turn expensive. */
function windowSize(window: number | null, cap: number): number {
  return Math.min(window ?? cap, cap)
}

/** Reaction that a session's occupancy requires. */
export type Pressure =
  | { readonly kind: 'none' | 'warn' }
  | { readonly kind: 'hand-over'; readonly when: HandOverMoment }

/** Returns the reaction to an occupancy; a hand-off threshold above 1 disables hand-offs. */
export function pressureOf(share: number, { warn, handOff, critical, policy }: ContextSettings): Pressure {
  const mayHandOver = policy === 'hand-off' && handOff <= 1
  if (mayHandOver && share >= critical) return { kind: 'hand-over', when: 'now' }
  if (mayHandOver && share >= handOff) return { kind: 'hand-over', when: 'boundary' }
  return { kind: share >= warn ? 'warn' : 'none' }
}
