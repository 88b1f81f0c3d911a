import type { Receipt } from '../model/verdict.ts'
import { testedText } from '../test-output/tests-text.ts'

/** Names the checks that prove a landed commit, or `none`. */
export function proofOf(receipts: readonly Receipt[]): string {
  const [only] = receipts
  if (receipts.length === 1 && only?.passed && only.excuse === null) return `gates: ${only.gate}`
  const gates = new Map<string, string | null>()
  for (const { gate, passed, excuse } of receipts) {
    if (passed || excuse !== null) gates.set(gate, excuse ?? gates.get(gate) ?? null)
  }
  const proven = [...gates].map(([gate, excuse]) => (excuse === null ? gate : `${gate} (${excuse})`))
  const warned = receipts.filter(({ passed, excuse }) => !passed && excuse === null).map(({ gate }) => gate)
  const proof = proven.length === 0 ? 'none' : `gates: ${proven.join(', ')}`
  return warned.length === 0 ? proof : `${proof}; failed, but only a warning: ${warned.join(', ')}`
}

/** Names the checks that prove a commit, with their test counts. */
export function checkedText(receipts: readonly Receipt[]): string {
  const tested = receipts.filter((receipt) => testedText(receipt) !== '')
  return [proofOf(receipts), ...tested.map((receipt) => `${receipt.gate}: ${testedText(receipt)}`)].join('; ')
}
