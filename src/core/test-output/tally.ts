import { TEST_NAMES_MAX } from '../limits/limits.ts'
import type { TestFailure } from '../model/verdict.ts'

/** A failed test while its output is still being read. */
export type FailureDraft = { -readonly [Key in keyof TestFailure]: TestFailure[Key] }

/** Outcome of one test. */
export type TestOutcome = 'passed' | 'failed' | 'skipped'

/** Counts and the names of the first tests of one run. */
export class Tally {
  passed = 0
  failed = 0
  skipped = 0
  durationMs: number | null = null
  /** Number of failed tests that may only sum up their subtests, and that a summary may count all the same. */
  parentsFailed = 0
  failures: FailureDraft[] = []
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

  /** Counts a passed or skipped test by its name. */
  addNamed(outcome: 'passed' | 'skipped', name: string): void {
    this[outcome] += 1
    this.name(outcome, name)
  }

  /** Removes a failure that turned out to be the sum of its subtests. */
  drop(draft: FailureDraft): void {
    const index = this.failures.lastIndexOf(draft)
    if (index >= 0) this.failures.splice(index, 1)
  }

  /** Sets all counts to zero, because a summary follows that includes them. */
  clearCounts(): void {
    this.passed = 0
    this.failed = 0
    this.skipped = 0
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

  /** Makes failures and their count agree where the output had more of either. */
  settle(): void {
    const unnamed = this.failed - this.failures.length
    if (unnamed > 0 && unnamed <= this.parentsFailed) this.failed -= unnamed
    if (unnamed < 0) this.failures = likeliest(this.failures, this.failed)
  }

  add(other: Tally): void {
    for (const outcome of ['passed', 'failed', 'skipped'] as const) this[outcome] += other[outcome]
    if (other.durationMs !== null) this.lasted(other.durationMs)
    this.failures.push(...other.failures.slice(0, TEST_NAMES_MAX - this.failures.length))
    for (const name of other.passedNames) this.name('passed', name)
    for (const name of other.skippedNames) this.name('skipped', name)
  }
}

// Tests print things that look like failures: those without details are dropped first, then the earliest.
function likeliest(failures: readonly FailureDraft[], count: number): FailureDraft[] {
  const excess = failures.length - count
  const bare = failures.filter(({ line, message }) => line === null && message === '').slice(0, excess)
  const kept = failures.filter((draft) => !bare.includes(draft))
  return count === 0 ? [] : kept.slice(-count)
}

const COUNTED = /(\d+) ([a-z]+)/g
