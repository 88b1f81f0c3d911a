import { isPassed } from '../core/checks/check-findings.ts'
import type { BaseRun, CheckRun } from '../core/checks/check-run.ts'
import { RECEIPT_MS_MAX } from '../core/limits/limits.ts'
import type { Check } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import type { Receipt, TestNames } from '../core/model/verdict.ts'
import type { Clock } from '../ports/clock.ts'
import type { CheckEnvironment, Gate } from '../ports/gate.ts'
import type { Store } from '../ports/store.ts'

/** What checks said of the same files before; for one verification. */
export class KnownReceipts {
  readonly #store: Store
  readonly #gate: Gate
  readonly #clock: Clock
  readonly #passed = new Map<Check, Promise<CheckRun | null>>()

  constructor({ store, gate, clock }: { readonly store: Store; readonly gate: Gate; readonly clock: Clock }) {
    this.#store = store
    this.#gate = gate
    this.#clock = clock
  }

  /** A check that passed a short while ago on the same files in the same environment, so that it need not run; or null. */
  passed(check: Check, on: CheckEnvironment & { tree: Tree; commit: Commit }): Promise<CheckRun | null> {
    // Asked once: what was known when a checkout was done without must not grow too old a moment later.
    const answer = this.#passed.get(check) ?? this.#lookUp(check, on)
    this.#passed.set(check, answer)
    return answer
  }

  async #lookUp(check: Check, on: CheckEnvironment & { tree: Tree; commit: Commit }): Promise<CheckRun | null> {
    const [newest] = await this.#store.receipts(this.#key(check, on.tree, on))
    if (newest === undefined || newest.at + RECEIPT_MS_MAX < this.#clock.now()) return null
    const known = newest.receipt
    if (!known.passed || !isPassed(check, known)) return null
    const cachedFrom = known.commit
    const receipt = { ...known, gate: check.name, blocking: check.onFail === 'block', commit: on.commit, cachedFrom }
    return { receipt, failures: [], names: await this.#names(receipt), output: '' }
  }

  /** How a check ran in clean checkouts of some trees, those of the first that it ran on first. */
  async before(check: Check, trees: readonly Tree[], setup: readonly string[]): Promise<readonly BaseRun[]> {
    const checkout = { place: 'checkout' as const, setup, env: {} }
    for (const tree of trees) {
      const kept = await this.#store.receipts(this.#key(check, tree, checkout))
      if (kept.length === 0) continue
      return Promise.all(kept.map(({ receipt }) => this.asBase(receipt)))
    }
    return []
  }

  /** A receipt with the tests that it tells of. */
  async asBase(receipt: Receipt): Promise<BaseRun> {
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
