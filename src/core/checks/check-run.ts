import type { Check } from '../model/effect.ts'
import type { Receipt, TestFailure, TestNames } from '../model/verdict.ts'

/** A check that ran, with all that its output said. */
export interface CheckRun {
  readonly receipt: Receipt
  readonly failures: readonly TestFailure[]
  readonly names: TestNames
  readonly output: string
}

/** What is known of a check on the files that the work started from. */
export type BaseRun = Pick<CheckRun, 'receipt' | 'names'>

/** One test, as another run of the same command names it. */
export function testKey({ name, file }: Pick<TestFailure, 'name' | 'file'>): string {
  return `${file ?? ''}\n${name}`
}

/** Whether failed tests, each known by name, are all that is wrong: nothing crashed, timed out or was cut off. */
export function isReadable({ receipt, names }: BaseRun, { coverage: least }: Pick<Check, 'coverage'>): boolean {
  const { tests, exitCode, timedOut, coverage } = receipt
  if (tests === null || exitCode === null || timedOut || tests.failed === 0) return false
  const isCovered = least === null || (coverage !== null && coverage >= least)
  return isCovered && names.failed.length === tests.failed
}

/** The receipts of checks that a fact says have just run. */
export function receiptsOf(event: { readonly kind: string }): readonly Receipt[] {
  if (!CHECKED.has(event.kind)) return []
  return (event as { readonly kind: string; readonly receipts: readonly Receipt[] }).receipts.filter(
    ({ cachedFrom }) => cachedFrom === null,
  )
}

// Other facts with receipts repeat what one of these has said.
const CHECKED: ReadonlySet<string> = new Set([
  'baseline-checked',
  'candidate-checked',
  'candidate-refused',
  'verdict-given',
])
