import type { Severity } from './agent-report.ts'
import type { Commit, Tree } from './ids.ts'

/** One thing that must change. */
export interface Finding {
  /** What found it: a gate's name, or one of our own checks. */
  readonly source: string
  readonly message: string
  /** Head and tail of the output behind it, for the retry brief. */
  readonly excerpt: string
  /** Where to look; null: nowhere in particular. */
  readonly file: string | null
  readonly line: number | null
  /** How bad it is, where whoever found it says so. */
  readonly severity: Severity | null
  /** The file in the workspace that has the whole output, from its root; null: there is none. */
  readonly outputFile: string | null
  /** What is to blame: the work, or the machine and what is installed on it. */
  readonly blames: 'work' | 'environment'
  /** Whether it may stay as it is when a person says so. */
  readonly needsPerson: boolean
}

/** A finding of which only some things are worth saying. */
export function finding(source: string, message: string, more: Partial<Finding> = {}): Finding {
  return { source, message, ...PLAIN_FINDING, ...more }
}

/** A finding on one line: how bad it is, where it is, what it is. */
export function findingText({ severity, message, ...at }: Finding): string {
  const place = placeText(at)
  // Some messages say themselves where to look.
  const isTold = place === '' || message.includes(at.line === null ? (at.file ?? '') : place)
  return `${severity === null ? '' : `${severity}: `}${isTold ? '' : `${place} `}${message}`
}

/** Where to look, as FILE:LINE; '': nowhere in particular. */
function placeText({ file, line }: Pick<Finding, 'file' | 'line'>): string {
  if (file === null) return ''
  return line === null ? file : `${file}:${line}`
}

/** What findings are, unless something else is said. */
const PLAIN_FINDING = {
  excerpt: '',
  file: null,
  line: null,
  severity: null,
  outputFile: null,
  blames: 'work',
  needsPerson: false,
} as const satisfies Partial<Finding>

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
  /** The digest of the tests by name, as far as the output names them; null: it names none. */
  readonly testNames: string | null
  /** Why it does not stop the work although it is red; null: nothing is excused. */
  readonly excuse: string | null
  /** The commit with the same files on which it ran in truth; null: it ran on this one. */
  readonly cachedFrom: Commit | null
}

/** What receipts are, unless something else is said. */
export const PLAIN_RECEIPT = {
  tests: null,
  coverage: null,
  testNames: null,
  excuse: null,
  cachedFrom: null,
} as const satisfies Partial<Receipt>

/** How many tests a framework says it ran. */
export interface TestCounts {
  readonly framework: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly durationMs: number | null
}

/** Tests by name, as far as an output names them; a list is whole when it is as long as its count. */
export interface TestNames {
  readonly passed: readonly string[]
  readonly skipped: readonly string[]
  readonly failed: readonly Pick<TestFailure, 'name' | 'file'>[]
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
