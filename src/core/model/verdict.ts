import type { Severity } from './agent-report.ts'
import type { Commit, Tree } from './ids.ts'

/** Required change. */
export interface Finding {
  /** Origin: a gate's name or a built-in check. */
  readonly source: string
  readonly message: string
  /** Head and tail of the output that shows it, for the retry brief. */
  readonly excerpt: string
  /** Place to look at, or null when there is none. */
  readonly file: string | null
  readonly line: number | null
  /** Severity, or null when the source names none. */
  readonly severity: Severity | null
  /** Workspace file with the whole output, relative to the root, or null when there is none. */
  readonly outputFile: string | null
  /** Culprit: the work, or the machine and its software. */
  readonly blames: 'work' | 'environment'
  /** True when a person may accept it as it is. */
  readonly needsPerson: boolean
}

/** Source of findings about a failed setup command, which has no receipt. */
export const SETUP = 'setup'

/** Creates a finding with defaults for everything but source and message. */
export function finding(source: string, message: string, more: Partial<Finding> = {}): Finding {
  return { source, message, ...PLAIN_FINDING, ...more }
}

/** Returns a finding on one line: severity, place, message. */
export function findingText({ severity, message, ...at }: Finding): string {
  const place = placeText(at)
  // Some messages already name the place.
  const isNamed = place === '' || message.includes(at.line === null ? (at.file ?? '') : place)
  return `${severity === null ? '' : `${severity}: `}${isNamed ? '' : `${place} `}${message}`
}

/** Returns the place as FILE:LINE, or '' when there is none. */
function placeText({ file, line }: Pick<Finding, 'file' | 'line'>): string {
  if (file === null) return ''
  return line === null ? file : `${file}:${line}`
}

/** Default fields of findings. */
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
  /** True when a failure stops the work. */
  readonly blocking: boolean
  /** Test counts in the output, or null when it has none that can be read. */
  readonly tests: TestCounts | null
  /** Share of covered lines, or null when the output does not show it. */
  readonly coverage: number | null
  /** Digest of the test names in the output, or null when it names none. */
  readonly testNames: string | null
  /** Reason why a red check does not stop the work, or null. */
  readonly excuse: string | null
  /** Digest of the command and of what it is made of, or null when that was not followed. */
  readonly definition: string | null
  /** Proof that the check can fail, or null when that was not tried. */
  readonly canary: CanaryState | null
  /** Commit with the same files that the cached result comes from, or null when it ran on this one. */
  readonly cachedFrom: Commit | null
}

/**
 * Outcome of a planted failure: the check named it, failed without naming it, did not notice it, or there is no way to
 * plant one.
 */
export type CanaryState = 'named' | 'unnamed' | 'dead' | 'none'

/** Default fields of receipts. */
export const PLAIN_RECEIPT = {
  tests: null,
  coverage: null,
  testNames: null,
  excuse: null,
  definition: null,
  canary: null,
  cachedFrom: null,
} as const satisfies Partial<Receipt>

/** Test counts of a framework. */
export interface TestCounts {
  readonly framework: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly durationMs: number | null
}

/** Test names in an output; a list is complete when it is as long as its count. */
export interface TestNames {
  readonly passed: readonly string[]
  readonly skipped: readonly string[]
  readonly failed: readonly Pick<TestFailure, 'name' | 'file'>[]
}

/** Failed test, as its framework reports it. */
export interface TestFailure {
  readonly name: string
  readonly file: string | null
  readonly line: number | null
  readonly message: string
}

/** Combined result of the checks of one commit. */
export interface Verdict {
  readonly passed: boolean
  readonly receipts: readonly Receipt[]
  readonly findings: readonly Finding[]
}
