import type { HandOverMoment } from '../model/round.ts'
import type { ContextSettings } from '../model/settings.ts'

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
