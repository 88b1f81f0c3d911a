import type { Receipt } from '../model/verdict.ts'
import { testedText } from '../test-output/tests-text.ts'

/** Which checks prove a landed commit, in a few words; none: nothing was checked. */
export function proofOf(receipts: readonly Receipt[]): string {
  const passed = receipts.filter((receipt) => receipt.passed).map(({ gate }) => gate)
  const warned = receipts.filter((receipt) => !receipt.passed).map(({ gate }) => gate)
  const proof = passed.length === 0 ? 'none' : `gates: ${passed.join(', ')}`
  return warned.length === 0 ? proof : `${proof}; red, but only a warning: ${warned.join(', ')}`
}

/** The same, with what the checks said of tests. */
export function checkedText(receipts: readonly Receipt[]): string {
  const tested = receipts.filter((receipt) => testedText(receipt) !== '')
  return [proofOf(receipts), ...tested.map((receipt) => `${receipt.gate}: ${testedText(receipt)}`)].join('; ')
}
