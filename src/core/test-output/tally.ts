import { TEST_NAMES_MAX } from '../limits/limits.ts'
import type { TestFailure } from '../model/verdict.ts'

/** A failed test while its output is still being read. */
export type FailureDraft = { -readonly [Key in keyof TestFailure]: TestFailure[Key] }

/** Outcome of one test. */
export type TestOutcome = 'passed' | 'failed' | 'skipped'

/** Reads the output of one test framework; it is offered every line and ignores those of others. */
export interface FormatReader {
  readonly framework: string
  readonly tally: Tally
  /** Reads one line; true when the line is a summary that only this framework prints. */
  read(line: string): boolean
}

/** Counts of one reader, with the names of the first tests. */
export class Tally {
  passed = 0
  failed = 0
  skipped = 0
  durationMs: number | null = null
  readonly failures: FailureDraft[] = []
  readonly passedNames: string[] = []
  readonly skippedNames: string[] = []

  /** Starts a failure whose details follow; null when enough failures are known. */
  open(name: string, file: string | null = null): FailureDraft | null {
    if (this.failures.length >= TEST_NAMES_MAX) return null
    const draft = { name, file, line: null, message: '' }
    this.failures.push(draft)
    return draft
  }

  /** True while there is room for names of passed or skipped tests. */
  get wantsNames(): boolean {
    return this.passedNames.length < TEST_NAMES_MAX || this.skippedNames.length < TEST_NAMES_MAX
  }

  /** Keeps the name of a test that did not fail. */
  name(outcome: 'passed' | 'skipped', name: string): void {
    const names = outcome === 'passed' ? this.passedNames : this.skippedNames
    if (names.length < TEST_NAMES_MAX) names.push(name)
  }

  /** Removes a failure that turned out to be the sum of its subtests. */
  drop(draft: FailureDraft): void {
    const index = this.failures.lastIndexOf(draft)
    if (index >= 0) this.failures.splice(index, 1)
  }

  /** Adds the counts of a summary such as "2 failed | 1 passed"; ignores words that are not listed. */
  count(summary: string, words: Readonly<Record<string, TestOutcome>>): void {
    for (const [, count, word = ''] of summary.matchAll(COUNTED)) {
      const outcome = words[word]
      if (outcome !== undefined) this[outcome] += Number(count)
    }
  }

  /** Adds a duration; NaN is ignored. */
  lasted(ms: number): void {
    if (Number.isFinite(ms)) this.durationMs = (this.durationMs ?? 0) + ms
  }

  add(other: Tally): void {
    for (const outcome of ['passed', 'failed', 'skipped'] as const) this[outcome] += other[outcome]
    if (other.durationMs !== null) this.lasted(other.durationMs)
    this.failures.push(...other.failures.slice(0, TEST_NAMES_MAX - this.failures.length))
    for (const name of other.passedNames) this.name('passed', name)
    for (const name of other.skippedNames) this.name('skipped', name)
  }
}

const COUNTED = /(\d+) ([a-z]+)/g
