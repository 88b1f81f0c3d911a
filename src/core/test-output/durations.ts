/** Milliseconds of "909ms", "1.01s", "0.697 s" or "2 m 3 s"; NaN: none of these. */
export function durationMsIn(text: string): number {
  const parts = [...text.matchAll(PART)]
  if (parts.length === 0) return Number.NaN
  return Math.round(parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNIT_MS[unit] ?? 0), 0))
}

const PART = /([\d.]+) ?(ms|m|s)\b/g
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }
