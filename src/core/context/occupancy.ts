import type { HandOverMoment } from '../model/round.ts'
import type { ContextSettings } from '../model/settings.ts'
import type { Tokens } from '../model/usage.ts'

/** How much of a context window is taken. */
export interface Occupancy {
  readonly used: number
  readonly size: number
  readonly share: number
}

/** What a main-loop call's tokens occupy of the window: everything that went in; cached tokens are in there, too. */
export function tokensHeld({ input, cacheRead, cacheWrite }: Tokens): number {
  return input + cacheRead + cacheWrite
}

/** How full a session is after its last main-loop call; null: its agent tells no usage. */
export function occupancy(used: number | null, window: number | null, { cap }: ContextSettings): Occupancy | null {
  if (used === null) return null
  const size = windowSize(window, cap)
  return { used, size, share: used / size }
}

/** What counts as a full window: the model's own, or the cap, past which every turn pays for re-reading. */
function windowSize(window: number | null, cap: number): number {
  return Math.min(window ?? cap, cap)
}

/** What a session's fullness asks for. */
export type Pressure =
  | { readonly kind: 'none' | 'warn' }
  | { readonly kind: 'hand-over'; readonly when: HandOverMoment }

/** What to do about a session that is this full; above 1, the hand-off threshold switches hand-offs off. */
export function pressureOf(share: number, { warn, handOff, critical, policy }: ContextSettings): Pressure {
  const mayHandOver = policy === 'hand-off' && handOff <= 1
  if (mayHandOver && share >= critical) return { kind: 'hand-over', when: 'now' }
  if (mayHandOver && share >= handOff) return { kind: 'hand-over', when: 'boundary' }
  return { kind: share >= warn ? 'warn' : 'none' }
}
