import type { Receipt } from '../model/verdict.ts'
import { testedText } from '../test-output/tests-text.ts'

/** Names the checks that prove a landed commit, or `none`. */
export function proofOf(receipts: readonly Receipt[]): string {
  const [only] = receipts
  if (receipts.length === 1 && only?.passed && only.excuse === null && !isDoubtful(only)) return `gates: ${only.gate}`
  const gates = new Map<string, string | null>()
  for (const receipt of receipts) {
    const { gate, passed, excuse, canary } = receipt
    const remark = isDoubtful(receipt) ? `canary: ${canary}` : null
    if (passed || excuse !== null) gates.set(gate, excuse ?? gates.get(gate) ?? remark)
  }
  const proven = [...gates].map(([gate, excuse]) => (excuse === null ? gate : `${gate} (${excuse})`))
  const warned = receipts.filter(({ passed, excuse }) => !passed && excuse === null).map(({ gate }) => gate)
  const proof = proven.length === 0 ? 'none' : `gates: ${proven.join(', ')}`
  return warned.length === 0 ? proof : `${proof}; failed, but only a warning: ${warned.join(', ')}`
}

/** True when a planted failure did not show by name that the check can fail. */
function isDoubtful({ canary }: Receipt): boolean {
  return canary === 'unnamed' || canary === 'none' || canary === 'dead'
}

/** Names the checks that prove a commit, with their test counts. */
export function checkedText(receipts: readonly Receipt[]): string {
  const tested = receipts.filter((receipt) => testedText(receipt) !== '')
  return [proofOf(receipts), ...tested.map((receipt) => `${receipt.gate}: ${testedText(receipt)}`)].join('; ')
}
