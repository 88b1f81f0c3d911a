import type { Receipt } from '../model/verdict.ts'

/** Which checks prove a landed commit, in a few words; none: nothing was checked. */
export function proofOf(receipts: readonly Receipt[]): string {
  const passed = receipts.filter((receipt) => receipt.passed).map(({ gate }) => gate)
  const warned = receipts.filter((receipt) => !receipt.passed).map(({ gate }) => gate)
  const proof = passed.length === 0 ? 'none' : `gates: ${passed.join(', ')}`
  return warned.length === 0 ? proof : `${proof}; red, but only a warning: ${warned.join(', ')}`
}
