import type { Check } from '../model/effect.ts'
import type { Receipt, TestFailure, TestNames } from '../model/verdict.ts'

/** Run of a check, with everything read from its output. */
export interface CheckRun {
  readonly receipt: Receipt
  readonly failures: readonly TestFailure[]
  readonly names: TestNames
  readonly output: string
}

/** Run of a check on the files that the work started from. */
export type BaseRun = Pick<CheckRun, 'receipt' | 'names'>

/** Returns the identity of a test across runs of the same command. */
export function testKey({ name, file }: Pick<TestFailure, 'name' | 'file'>): string {
  return `${file ?? ''}\n${name}`
}

/** True when failed tests, each known by name, are the only fault: no crash, timeout or truncation. */
export function isReadable({ receipt, names }: BaseRun, { coverage: least }: Pick<Check, 'coverage'>): boolean {
  const { tests, exitCode, timedOut, coverage } = receipt
  if (tests === null || exitCode === null || timedOut || tests.failed === 0) return false
  const isCovered = least === null || (coverage !== null && coverage >= least)
  return isCovered && names.failed.length === tests.failed
}

/** Returns the receipts of checks that a fact reports as just run. */
export function receiptsOf(event: { readonly kind: string }): readonly Receipt[] {
  if (!CHECKED.has(event.kind)) return []
  return (event as { readonly kind: string; readonly receipts: readonly Receipt[] }).receipts.filter(
    ({ cachedFrom }) => cachedFrom === null,
  )
}

// Other facts with receipts repeat those of these kinds.
const CHECKED: ReadonlySet<string> = new Set([
  'baseline-checked',
  'candidate-checked',
  'candidate-refused',
  'verdict-given',
])
