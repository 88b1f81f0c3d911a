import type { Task } from '../model/task.ts'
import type { Sample, Samples } from '../model/usage.ts'

/** Number of landed tasks of a kind before samples replace the built-in estimates. */
export const SAMPLES_MIN = 5
const SAMPLES_MAX = 50

/** Returns the kind of a task for samples: its type, or else its weight. */
export function taskKind({ type, weight }: Pick<Task, 'type' | 'weight'>): string {
  return type ?? weight
}

/** Adds a sample; only the newest are kept. */
export function withSample(samples: Samples, kind: string, sample: Sample): Samples {
  const before = samples[kind] ?? []
  return { ...samples, [kind]: [...(before.length < SAMPLES_MAX ? before : before.slice(1 - SAMPLES_MAX)), sample] }
}

/** Returns the 90th percentile. */
export function ninetiethPercentile(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 0
}
