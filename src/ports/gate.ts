import type { Check } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import type { Receipt, TestFailure } from '../core/model/verdict.ts'

/** Runs one check in a folder that holds exactly one commit. */
export interface Gate {
  judge(order: GateOrder, signal: AbortSignal): Promise<GateResult>
}

export interface GateOrder {
  readonly check: Check
  readonly folder: string
  /** `workspace`: the agent's own folder; `checkout`: a clean one. */
  readonly place: 'workspace' | 'checkout'
  readonly commit: Commit
  readonly tree: Tree
  /** Extra variables, such as the attempt's name. */
  readonly env: Readonly<Record<string, string>>
}

export interface GateResult {
  readonly receipt: Receipt
  /** The output, capped with head and tail. */
  readonly output: string
  /** The tests that failed, as the output tells them; of many only the first. */
  readonly failures: readonly TestFailure[]
}
