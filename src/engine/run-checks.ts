import type { Check } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import { type Finding, finding, type Receipt, type Verdict } from '../core/model/verdict.ts'
import { findingsOfCheck } from '../core/phases/judge-check.ts'
import { excerpt } from '../core/phases/retry-brief.ts'
import type { Gate } from '../ports/gate.ts'
import type { SetupFailed } from '../ports/workspaces.ts'

export interface CheckPlace {
  readonly folder: string
  readonly place: 'workspace' | 'checkout'
  readonly commit: Commit
  readonly tree: Tree
  readonly env: Readonly<Record<string, string>>
}

/** Runs checks one after another in one folder; all of them, so that an agent learns of every red one at once. */
export async function runChecks(
  gate: Gate,
  checks: readonly Check[],
  place: CheckPlace,
  signal: AbortSignal,
): Promise<{ readonly verdict: Verdict; readonly blobs: ReadonlyMap<string, string> }> {
  const receipts: Receipt[] = []
  const findings: Finding[] = []
  const blobs = new Map<string, string>()
  for (const check of checks) {
    if (signal.aborted) break
    const result = await gate.judge({ check, ...place }, signal)
    receipts.push(result.receipt)
    blobs.set(result.receipt.outputDigest, result.output)
    if (!result.receipt.passed && result.receipt.blocking) {
      findings.push(...findingsOfCheck(check, result.receipt, result))
    }
  }
  return { verdict: { passed: findings.length === 0, receipts, findings }, blobs }
}

/** A setup command that failed, as a finding. */
export function setupFinding({ command, exitCode, timedOut, output }: SetupFailed): Finding {
  const how = timedOut ? 'took too long' : `ended with exit code ${exitCode}`
  return finding('setup', `"${command}" ${how}`, { excerpt: excerpt(output), blames: 'environment' })
}
