import type { Check, CheckoutSetting } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Verdict } from '../core/model/verdict.ts'
import type { PortsInUse } from './ports-in-use.ts'
import { runChecks, setupFinding } from './run-checks.ts'

/** One commit, what has to pass on it, and how its checkout is made ready. */
export interface CommitToCheck {
  /** What its checkout is called. */
  readonly name: string
  readonly commit: Commit
  readonly tree: Tree
  readonly checks: readonly Check[]
  readonly setting: CheckoutSetting
}

/** What checks say of a commit, with the texts that receipts name by digest. */
export interface CommitChecked {
  readonly verdict: Verdict
  readonly blobs: ReadonlyMap<string, string>
}

/** Checks exactly one commit in a clean checkout with setup, and nothing of an agent's. */
export async function checkCommit(
  { workspaces, gate }: Pick<PortsInUse, 'workspaces' | 'gate'>,
  { name, commit, tree, checks, setting }: CommitToCheck,
  signal: AbortSignal,
): Promise<CommitChecked | Problem> {
  if (checks.length === 0) return { verdict: { passed: true, receipts: [], findings: [] }, blobs: new Map() }
  const made = await workspaces.checkOut(name, commit, setting, signal)
  if (isProblem(made)) return made
  if (made.kind === 'setup-failed') {
    return { verdict: { passed: false, receipts: [], findings: [setupFinding(made)] }, blobs: new Map() }
  }
  try {
    const place = { folder: made.folder, place: 'checkout' as const, commit, tree, env: {} }
    return await runChecks(gate, checks, place, signal)
  } finally {
    await made.discard()
  }
}
