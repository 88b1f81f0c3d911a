/** Returns the name that a misspelt word most likely means, or null when none is close. */
export function nearestName(word: string, names: Iterable<string>): string | null {
  const wanted = word.toLowerCase()
  let best: string | null = null
  let limit = Math.floor(word.length / EDITS_PER_LETTERS)
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase(), limit)
    if (distance > limit) continue
    if (best === null || distance < limit) best = name
    if (distance === 0) break
    limit = distance
  }
  return best
}

// A third of the letters may be wrong; with more, every short word would match.
const EDITS_PER_LETTERS = 3

/** Counts insertions, deletions, replacements and swaps of neighbours; returns more than the limit once exceeded. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    if (Math.min(...current) > limit) return limit + 1
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
