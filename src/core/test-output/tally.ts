import { TEST_NAMES_MAX } from '../limits/limits.ts'
import type { TestFailure } from '../model/verdict.ts'

/** A failed test while its output is still being read. */
export type FailureDraft = { -readonly [Key in keyof TestFailure]: TestFailure[Key] }

/** Reads lines of one form; most lines of an output are none of its business. */
export interface LineReader {
  /** What lines begin with that it wants to see. */
  readonly starts: string
  /** The same for lines that begin with spaces: what comes after these. */
  readonly indented: string
  /** Whether it wants every line now, because it is in the middle of something. */
  readonly isOpen: boolean
  /** Whether the line sums up tests as only this form does. */
  take(line: string): boolean
}

/** Reads the output of one framework. */
export interface FormatReader extends LineReader {
  readonly framework: string
  readonly tally: Tally
}

/** What one reader has counted; of many tests only the first are known by name. */
export class Tally {
  passed = 0
  failed = 0
  skipped = 0
  durationMs: number | null = null
  readonly failures: FailureDraft[] = []
  readonly passedNames: string[] = []
  readonly skippedNames: string[] = []

  /** A failed test that more is yet to be read of; null: enough are known. */
  open(name: string, file: string | null = null): FailureDraft | null {
    if (this.failures.length >= TEST_NAMES_MAX) return null
    const draft = { name, file, line: null, message: '' }
    this.failures.push(draft)
    return draft
  }

  /** Whether more names of tests that did not fail are wanted. */
  get wantsNames(): boolean {
    return this.passedNames.length < TEST_NAMES_MAX || this.skippedNames.length < TEST_NAMES_MAX
  }

  /** Notes a test that did not fail. */
  name(kind: 'passed' | 'skipped', name: string): void {
    const names = kind === 'passed' ? this.passedNames : this.skippedNames
    if (names.length < TEST_NAMES_MAX) names.push(name)
  }

  /** Forgets a failure that turned out to be the sum of others. */
  drop(draft: FailureDraft): void {
    const index = this.failures.lastIndexOf(draft)
    if (index >= 0) this.failures.splice(index, 1)
  }

  /** Adds the counts of a summary such as "2 failed | 1 passed"; other words count for nothing. */
  count(summary: string, words: Readonly<Record<string, 'passed' | 'failed' | 'skipped'>>): void {
    for (const [, count, word = ''] of summary.matchAll(COUNTED)) {
      const kind = words[word]
      if (kind !== undefined) this[kind] += Number(count)
    }
  }

  lasted(ms: number): void {
    if (Number.isFinite(ms)) this.durationMs = (this.durationMs ?? 0) + ms
  }

  add(other: Tally): void {
    for (const kind of ['passed', 'failed', 'skipped'] as const) this[kind] += other[kind]
    if (other.durationMs !== null) this.lasted(other.durationMs)
    this.failures.push(...other.failures.slice(0, TEST_NAMES_MAX - this.failures.length))
    for (const name of other.passedNames) this.name('passed', name)
    for (const name of other.skippedNames) this.name('skipped', name)
  }
}

const COUNTED = /(\d+) ([a-z]+)/g
