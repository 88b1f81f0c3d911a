import type { Commit, Tree } from './ids.ts'

/** One thing that must change. */
export interface Finding {
  /** What found it: a gate's name, or one of our own checks. */
  readonly source: string
  readonly message: string
  /** Head and tail of the output behind it, for the retry brief. */
  readonly excerpt: string
}

/** Proof of a check. */
export interface Receipt {
  readonly gate: string
  readonly command: string
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly durationMs: number
  /** SHA-256 of the whole output. */
  readonly outputDigest: string
  readonly tree: Tree
  readonly commit: Commit
  /** SHA-256 of the environment's names and values, and of where the check ran. */
  readonly environmentDigest: string
  readonly passed: boolean
  /** Whether a red result stops the work. */
  readonly blocking: boolean
  /** What the output says of tests; null: nothing that could be read. */
  readonly tests: TestCounts | null
  /** The share of lines that the tests cover, where the output tells it. */
  readonly coverage: number | null
}

/** How many tests a framework says it ran. */
export interface TestCounts {
  readonly framework: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly durationMs: number | null
}

/** One test that failed, as its framework tells it. */
export interface TestFailure {
  readonly name: string
  readonly file: string | null
  readonly line: number | null
  readonly message: string
}

/** What the checks of one commit said together. */
export interface Verdict {
  readonly passed: boolean
  readonly receipts: readonly Receipt[]
  readonly findings: readonly Finding[]
}
