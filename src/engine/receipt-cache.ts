import { isPassed } from '../core/checks/check-findings.ts'
import type { BaseRun, CheckRun } from '../core/checks/check-run.ts'
import { RECEIPT_MS_MAX } from '../core/limits/limits.ts'
import type { Check } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import type { Receipt, TestNames } from '../core/model/verdict.ts'
import type { Clock } from '../ports/clock.ts'
import type { CheckEnvironment, Gate } from '../ports/gate.ts'
import type { Store } from '../ports/store.ts'

/** Earlier results of checks, as one verification looks them up. */
export interface EarlierReceipts {
  /** Returns a recent pass of the check on the same files in the same environment, or null. */
  passed(check: Check, on: CheckedFiles): Promise<CheckRun | null>
  /** Returns runs of the check in clean checkouts of the first of these trees that has any. */
  baseRuns(check: Check, trees: readonly Tree[], setup: readonly string[]): Promise<readonly BaseRun[]>
}

type CheckedFiles = CheckEnvironment & { readonly tree: Tree; readonly commit: Commit }

/** Looks up receipts in the store; made for one verification. */
export class ReceiptCache implements EarlierReceipts {
  readonly #store: Store
  readonly #gate: Gate
  readonly #clock: Clock
  readonly #passed = new Map<Check, Promise<CheckRun | null>>()

  constructor({ store, gate, clock }: { readonly store: Store; readonly gate: Gate; readonly clock: Clock }) {
    this.#store = store
    this.#gate = gate
    this.#clock = clock
  }

  passed(check: Check, on: CheckedFiles): Promise<CheckRun | null> {
    // Looked up once: a receipt that made a checkout unnecessary must not expire a moment later.
    const passed = this.#passed.get(check) ?? this.#lookUpPass(check, on)
    this.#passed.set(check, passed)
    return passed
  }

  async #lookUpPass(check: Check, on: CheckedFiles): Promise<CheckRun | null> {
    const [newest] = await this.#store.receipts(this.#key(check, on.tree, on))
    if (newest === undefined || newest.at + RECEIPT_MS_MAX < this.#clock.now()) return null
    const stored = newest.receipt
    if (!stored.passed || !isPassed(check, stored)) return null
    const cachedFrom = stored.commit
    const receipt = { ...stored, gate: check.name, blocking: check.onFail === 'block', commit: on.commit, cachedFrom }
    return { receipt, failures: [], names: await this.#names(receipt), output: '' }
  }

  async baseRuns(check: Check, trees: readonly Tree[], setup: readonly string[]): Promise<readonly BaseRun[]> {
    const checkout = { place: 'checkout' as const, setup, env: {} }
    for (const tree of trees) {
      const stored = await this.#store.receipts(this.#key(check, tree, checkout))
      if (stored.length === 0) continue
      return Promise.all(stored.map(({ receipt }) => this.toBaseRun(receipt)))
    }
    return []
  }

  /** Adds the names of its tests to a receipt. */
  async toBaseRun(receipt: Receipt): Promise<BaseRun> {
    return { receipt, names: await this.#names(receipt) }
  }

  #key(check: Check, tree: Tree, environment: CheckEnvironment) {
    return { tree, command: check.run, environmentDigest: this.#gate.environmentDigest(environment) }
  }

  async #names({ testNames }: Receipt): Promise<TestNames> {
    const text = testNames === null ? null : await this.#store.blob(testNames)
    return text === null ? NO_NAMES : (JSON.parse(text) as TestNames)
  }
}

const NO_NAMES: TestNames = { passed: [], skipped: [], failed: [] }

/** Returns what a landing was judged by, including the failures it excused, to verify it once more. */
export function receiptsAtLanding(
  cache: ReceiptCache,
  { before, receipts }: { readonly before: Tree; readonly receipts: readonly Receipt[] },
): EarlierReceipts {
  return {
    // Every check runs again: the question is whether it passes now.
    passed: async () => null,
    baseRuns: async (check, _, setup) => [
      ...(await cache.baseRuns(check, [before], setup)),
      ...(await Promise.all(excused(check, receipts).map((receipt) => cache.toBaseRun(receipt)))),
    ],
  }
}

function excused({ run }: Check, receipts: readonly Receipt[]): readonly BaseRun['receipt'][] {
  return receipts.filter(({ command, passed, excuse }) => command === run && !passed && excuse !== null)
}
