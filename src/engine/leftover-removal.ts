import { REMOVAL_GRACE_MS } from '../core/limits/limits.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'

/** Removes what earlier engines left on disk, beside the work. */
export class LeftoverRemoval {
  readonly #ports: Pick<EnginePorts, 'workspaces' | 'clock'>
  readonly #stop = new AbortController()
  #removed: Promise<void> = Promise.resolve()

  constructor(ports: Pick<EnginePorts, 'workspaces' | 'clock'>) {
    this.#ports = ports
  }

  /** Starts to remove leftovers, one after another. */
  start(names: readonly string[]): void {
    this.#removed = this.#removeAll(names)
  }

  /** Waits a moment for the rest, then stops; the next engine continues. */
  async close(): Promise<void> {
    const cancel = this.#ports.clock.after(REMOVAL_GRACE_MS, () => this.#stop.abort())
    await this.#removed
    cancel()
  }

  async #removeAll(names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (this.#stop.signal.aborted) return
      // A leftover that cannot be removed now stays listed, and the next engine tries again.
      await this.#ports.workspaces.discard(name, this.#stop.signal).catch(() => {})
    }
  }
}
