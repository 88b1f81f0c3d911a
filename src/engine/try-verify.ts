import type { AttemptEffect, Check } from '../core/model/effect.ts'
import { unwrap } from '../core/model/problem.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { ReceiptCache } from './receipt-cache.ts'
import type { CheckPlace } from './run-checks.ts'

/**
 * Runs a task's own commands in a clean checkout of its base, except those with a known result, and returns those that
 * pass there. Receipts are not kept: failures on the base would excuse the same failures of the work. Throws problems.
 */
export async function tryVerify(
  ports: EnginePorts,
  { spec, checks }: Extract<AttemptEffect, { kind: 'try-verify' }>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { commit, tree } = unwrap(await ports.landing.variant(spec.base, []))
  const { setup } = spec.workspace
  const receipts = new ReceiptCache(ports)
  const passed = new Map<Check, boolean>()
  for (const check of checks) {
    const [known] = await receipts.baseRuns(check, [tree], setup)
    if (known !== undefined) passed.set(check, known.receipt.passed)
  }
  const untried = checks.filter((check) => !passed.has(check))
  if (untried.length > 0) {
    const setting = { setup, setupMs: spec.bounds.setupMs }
    const checkout = unwrap(await ports.workspaces.checkOut(`${spec.attempt}+verify`, commit, setting, signal))
    // The workspace's own setup reports what is wrong.
    if (checkout.kind === 'setup-failed') return []
    try {
      const place = { folder: checkout.folder, place: 'checkout' as const, setup, env: {}, commit, tree }
      for (const check of untried) passed.set(check, await passesIn(ports, place, check, signal))
    } finally {
      await checkout.discard()
    }
  }
  return checks.filter((check) => passed.get(check)).map(({ run }) => run)
}

async function passesIn({ gate }: EnginePorts, place: CheckPlace, check: Check, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false
  const { receipt } = await gate.check({ ...place, check, outputFile: null }, signal)
  return receipt.passed
}
