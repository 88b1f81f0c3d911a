import type { Check } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import type { Receipt, TestFailure, TestNames } from '../core/model/verdict.ts'

/** Runs one check in a folder that holds exactly one commit. */
export interface Gate {
  check(order: GateOrder, signal: AbortSignal): Promise<GateResult>
  /** The digest that receipts carry of the environment in which such an order is judged. */
  environmentDigest(order: CheckEnvironment): string
}

/** All that a check's outcome may depend on besides files and command. */
export interface CheckEnvironment {
  /** `workspace`: the agent's own folder; `checkout`: a clean one. */
  readonly place: 'workspace' | 'checkout'
  /** The commands that made the folder ready. */
  readonly setup: readonly string[]
  /** Extra variables, such as the attempt's name. */
  readonly env: Readonly<Record<string, string>>
}

export interface GateOrder extends CheckEnvironment {
  readonly check: Check
  readonly folder: string
  readonly commit: Commit
  readonly tree: Tree
  /** Gets the whole output, up to 10 MB; null: nobody wants it. */
  readonly outputFile: string | null
}

export interface GateResult {
  readonly receipt: Receipt
  /** The output, capped with head and tail. */
  readonly output: string
  /** The tests that failed, as the output tells them; of very many only the first. */
  readonly failures: readonly TestFailure[]
  readonly names: TestNames
}
