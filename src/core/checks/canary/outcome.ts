import type { CheckRun } from '../check-run.ts'
import { environmentFault } from '../environment-fault.ts'
import type { Plant } from './idiom.ts'

/**
 * Result of a planted failure: the check failed and named it, failed without naming it, stayed green, or the run
 * showed nothing (it timed out, or the machine was at fault).
 */
export type CanaryResult = 'named' | 'unnamed' | 'dead' | 'unclear'

/** Decides what a run with a planted failure shows. `isGreenWithout`: the check passed on the same files without it. */
export function canaryResult(run: CheckRun, { marker }: Pick<Plant, 'marker'>, isGreenWithout: boolean): CanaryResult {
  const { receipt, output, names, failures } = run
  if (receipt.exitCode === 0) return 'dead'
  const named = [...names.failed, ...failures].flatMap(({ name, file }) => [name, file ?? ''])
  if ([output, ...named].some((text) => text.includes(marker))) return 'named'
  if (receipt.timedOut || environmentFault(receipt, output) !== null) return 'unclear'
  // A check that is red anyway shows nothing by being red; only a list of its failures could.
  return isGreenWithout ? 'unnamed' : 'dead'
}

/** Combines the results of several plants: one that was noticed proves the check. */
export function combinedResult(results: readonly CanaryResult[]): CanaryResult {
  const order: readonly CanaryResult[] = ['named', 'unnamed', 'dead', 'unclear']
  return order.find((result) => results.includes(result)) ?? 'unclear'
}
