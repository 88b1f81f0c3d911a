import type { Task } from '../model/task.ts'
import type { Sample, Samples } from '../model/usage.ts'

/** So many tasks of a kind have landed before their figures count for more than our tables. */
export const SAMPLES_MIN = 5
const SAMPLES_MAX = 50

/** Which tasks are alike: those of a type, or else of a weight. */
export function taskKind({ type, weight }: Pick<Task, 'type' | 'weight'>): string {
  return type ?? weight
}

/** Takes one more task into the samples; only the newest are kept. */
export function withSample(samples: Samples, kind: string, sample: Sample): Samples {
  const before = samples[kind] ?? []
  return { ...samples, [kind]: [...(before.length < SAMPLES_MAX ? before : before.slice(1 - SAMPLES_MAX)), sample] }
}

/** The figure that nine of ten do not exceed. */
export function ninetiethPercentile(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 0
}
