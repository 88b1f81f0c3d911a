import type { Check, CheckoutSetting } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Workspaces } from '../ports/workspaces.ts'
import { type CheckMeans, type CommitChecked, runChecks, setupFinding } from './run-checks.ts'

/** One commit, what has to pass on it, and how its checkout is made ready. */
export interface CommitToCheck {
  /** What its checkout is called. */
  readonly name: string
  readonly commit: Commit
  readonly tree: Tree
  readonly checks: readonly Check[]
  readonly setting: CheckoutSetting
}

/** Checks exactly one commit in a clean checkout with setup, and nothing of an agent's; no checkout where all is known. */
export async function checkCommit(
  workspaces: Workspaces,
  means: CheckMeans,
  { name, commit, tree, checks, setting }: CommitToCheck,
  signal: AbortSignal,
): Promise<CommitChecked | Problem> {
  const place = { folder: '', place: 'checkout' as const, setup: setting.setup, commit, tree, env: {} }
  if (await areKnown(means, checks, place)) return runChecks(means, checks, place, signal)
  const made = await workspaces.checkOut(name, commit, setting, signal)
  if (isProblem(made)) return made
  if (made.kind === 'setup-failed') {
    return { verdict: { passed: false, receipts: [], findings: [setupFinding(made)] }, blobs: new Map() }
  }
  try {
    return await runChecks(means, checks, { ...place, folder: made.folder }, signal)
  } finally {
    await made.discard()
  }
}

async function areKnown(
  { known }: CheckMeans,
  checks: readonly Check[],
  place: Parameters<NonNullable<CheckMeans['known']>['passed']>[1],
): Promise<boolean> {
  if (checks.length === 0) return true
  if (known === null) return false
  const passed = await Promise.all(checks.map((check) => known.passed(check, place)))
  return passed.every((run) => run !== null)
}
