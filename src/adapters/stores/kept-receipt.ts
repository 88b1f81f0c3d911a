import { PLAIN_RECEIPT, type Receipt } from '../../core/model/verdict.ts'

/** How many receipts of the same check on the same files are given. */
export const RECEIPTS_MAX = 5

/** A receipt as it was kept, also by an earlier release. */
export function keptReceipt(body: string): Receipt {
  return { ...PLAIN_RECEIPT, ...(JSON.parse(body) as Receipt) }
}
