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
}

/** What the checks of one commit said together. */
export interface Verdict {
  readonly passed: boolean
  readonly receipts: readonly Receipt[]
  readonly findings: readonly Finding[]
}
