import type { Claim } from '../model/round.ts'

/** How an agent that can only write text says how its work stands. */
export const CLAIM_TAGS = {
  done: '<phase_complete>',
  continue: '<phase_continue>',
  blocked: '<phase_blocked>why</phase_blocked>',
} as const

/** The claim in a text, by its tags; the last one counts, and null stands for none. */
export function claimIn(text: string): Claim | null {
  const last = [...text.matchAll(TAGS)].at(-1)?.groups
  if (last === undefined) return null
  if (last.blocked !== undefined) return { kind: 'blocked', reason: last.reason?.trim() || 'no reason was given' }
  return { kind: last.plain === 'complete' ? 'done' : 'continue' }
}

/** A text without its claim. */
export function withoutClaim(text: string): string {
  return text.replaceAll(TAGS, '').trim()
}

// An answer that was cut off may lack the closing tag.
const TAGS =
  /<phase_(?<plain>complete|continue)\s*\/?>|<phase_(?<blocked>blocked)\s*>(?<reason>[\s\S]*?)(?:<\/phase_blocked\s*>|$)/g
