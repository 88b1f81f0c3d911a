import type { Checker } from './checker.ts'

/** Once an engine has claimed a ledger, no earlier engine appends to it. */
export const oneWriter: Checker = ({ world }) => {
  const faults: string[] = []
  for (const ledger of new Set(world.trace.claims.map((claim) => claim.ledger))) {
    const claims = world.trace.claims.filter((claim) => claim.ledger === ledger)
    for (const [index, append] of world.trace.appends.entries()) {
      if (append.ledger !== ledger) continue
      const writer = claims.filter((claim) => claim.appendsBefore <= index).at(-1)?.life
      if (writer !== append.life)
        faults.push(`engine ${append.life} appended to ${ledger}, which belongs to engine ${writer}`)
    }
  }
  return faults
}
