import type { CheckRun } from '../core/checks/check-run.ts'
import type { Check, CheckoutSetting } from '../core/model/effect.ts'
import type { Commit } from '../core/model/ids.ts'
import { unwrap } from '../core/model/problem.ts'
import type { VariantFile } from '../core/model/variant.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'

/** Check to run on a variant of a commit. */
export interface VariantOrder {
  /** Name of the checkout. */
  readonly name: string
  readonly commit: Commit
  readonly files: readonly VariantFile[]
  /** Command that changes the checkout before the check, or null. */
  readonly plant: string | null
  readonly check: Check
  readonly setting: CheckoutSetting
}

/** Runs a check in a clean checkout of a variant; null when its setup fails. Throws problems. */
export async function runVariant(
  { landing, workspaces, gate }: EnginePorts,
  { name, commit, files, plant, check, setting }: VariantOrder,
  signal: AbortSignal,
): Promise<CheckRun | null> {
  const variant = unwrap(await landing.variant(commit, files))
  // A problem is thrown, so that the whole proof is repeated: a check must not pass for a proof that could not be made.
  const checkout = unwrap(await workspaces.checkOut(name, variant.commit, setting, signal))
  if (checkout.kind === 'setup-failed') return null
  const place = { place: 'checkout' as const, setup: setting.setup, env: {}, outputFile: null }
  const order = { ...place, folder: checkout.folder, commit: variant.commit, tree: variant.tree }
  try {
    if (plant !== null) {
      const { receipt } = await gate.check({ ...order, check: { ...check, run: plant } }, signal)
      if (receipt.exitCode !== 0) return null
    }
    return await gate.check({ ...order, check }, signal)
  } finally {
    await checkout.discard()
  }
}
