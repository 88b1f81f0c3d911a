import type { BaseRun } from '../core/checks/check-run.ts'
import type { Check } from '../core/model/effect.ts'
import type { Tree } from '../core/model/ids.ts'
import type { Receipt } from '../core/model/verdict.ts'
import type { KnownReceipts } from './known-receipts.ts'
import type { CheckMeans } from './run-checks.ts'

/** What checks of landed work are weighed with once more: what its landing was weighed with, and what it excused. */
export function knownAtLanding(
  known: KnownReceipts,
  { before, receipts }: { readonly before: Tree; readonly receipts: readonly Receipt[] },
): NonNullable<CheckMeans['known']> {
  return {
    // It is asked whether they pass now.
    passed: async () => null,
    before: async (check, _, setup) => [
      ...(await known.before(check, [before], setup)),
      ...(await Promise.all(excused(check, receipts).map((receipt) => known.asBase(receipt)))),
    ],
  }
}

function excused({ run }: Check, receipts: readonly Receipt[]): readonly BaseRun['receipt'][] {
  return receipts.filter(({ command, passed, excuse }) => command === run && !passed && excuse !== null)
}
