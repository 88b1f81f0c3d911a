import type { LedgerId } from '../../core/model/ids.ts'
import { ProblemError, problem } from '../../core/model/problem.ts'

/** Version of the facts that this program writes. */
export const FACT_VERSION = 1

/** A fact as it was written. */
export interface StoredEvent {
  readonly ledger: LedgerId
  readonly version: number
  readonly body: { readonly kind: string }
}

/** Returns a stored fact in the current version; throws when a newer Longhaul wrote it. */
export function upcast({ ledger, version, body }: StoredEvent): { readonly kind: string } {
  if (version <= FACT_VERSION) return body
  throw new ProblemError(
    problem({
      code: 'state-newer',
      message: `Ledger ${ledger} holds "${body.kind}" in version ${version}; this Longhaul reads up to ${FACT_VERSION}. It was left untouched.`,
      hint: 'Install the newer Longhaul that wrote it and run the command again.',
      retry: 'never',
    }),
  )
}
