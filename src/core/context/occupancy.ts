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
