/** Measurement, with a baseline of the same run. */
export interface BenchResult {
  readonly name: string
  readonly value: number
  readonly baseline: number
  readonly ratio: number
  /** Bound of the ratio or the value, in words. */
  readonly bound: string
  readonly ok: boolean
  readonly note?: string
}

/** Returns the median of several measurements. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

/** Returns the smallest measurement that this share of them does not exceed. */
export function percentile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * share) - 1] ?? 0
}

/** Formats the lowest and highest of several measurements, which shows the machine's other work. */
export function spread(numbers: readonly number[], digits = 0): string {
  return `${Math.min(...numbers).toFixed(digits)}–${Math.max(...numbers).toFixed(digits)}`
}
