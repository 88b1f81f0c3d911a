import type { Check } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import type { Receipt, TestFailure, TestNames } from '../core/model/verdict.ts'

/** Runs one check in a folder that holds exactly one commit. */
export interface Gate {
  check(order: GateOrder, signal: AbortSignal): Promise<GateResult>
  /** Returns the digest that receipts carry of this environment. */
  environmentDigest(order: CheckEnvironment): string
}

/** Everything that a check's outcome may depend on besides files and command. */
export interface CheckEnvironment {
  /** `workspace`: the agent's folder; `checkout`: a clean one. */
  readonly place: 'workspace' | 'checkout'
  /** Commands that set up the folder. */
  readonly setup: readonly string[]
  /** Extra environment variables, such as the attempt's name. */
  readonly env: Readonly<Record<string, string>>
}

export interface GateOrder extends CheckEnvironment {
  readonly check: Check
  readonly folder: string
  readonly commit: Commit
  readonly tree: Tree
  /** File for the whole output, up to 10 MB, or null when it is not needed. */
  readonly outputFile: string | null
}

export interface GateResult {
  readonly receipt: Receipt
  /** Head and tail of the output. */
  readonly output: string
  /** Failed tests found in the output; of very many only the first. */
  readonly failures: readonly TestFailure[]
  readonly names: TestNames
}
