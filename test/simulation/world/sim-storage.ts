import { emptyMemory, openMemoryStore, type StoreMemory } from '../../../src/adapters/stores/memory/memory-store.ts'
import { diskProblem } from '../../../src/core/model/disk-problem.ts'
import { heldLease, type LockSeen } from '../../../src/core/model/lease.ts'
import { type Problem, ProblemError } from '../../../src/core/model/problem.ts'
import { stateLost } from '../../../src/core/model/state-loss.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Life } from './life.ts'

/** Locks of the lease by the folder that each is in; the state folder is inside the git folder. */
const LOCKS = ['git', 'workspaces', 'state'] as const
type LockName = (typeof LOCKS)[number]

/** Disks that can turn read-only, named after what they hold. */
export type SimDiskName = 'state' | 'workspaces'

/** Parts of the storage that a test may break on purpose. */
export interface StorageParts {
  /** Returns the locks that an engine takes into account when it starts. */
  readonly locks: (locks: readonly LockSeen[]) => readonly LockSeen[]
  /** Returns a disk's problem as an adapter reports it. */
  readonly trouble: (problem: Problem) => Problem
}

/** Storage of the state and its lease, which can be moved away, replaced or turned read-only under a live engine. */
export class SimStorage {
  readOnly: SimDiskName | null = null
  #facts = emptyMemory()
  #isAway = false
  readonly #holders = new Map<LockName, Life>()
  readonly #watches = new Set<() => void>()
  readonly #parts: StorageParts

  constructor(parts: StorageParts) {
    this.#parts = parts
  }

  /** Everything recorded, also while it is away from its place. */
  get facts(): StoreMemory {
    return this.#facts
  }

  /** True when an engine can open the state and take every lock. */
  get isUsable(): boolean {
    return !this.#isAway && this.readOnly === null
  }

  /** Takes every lock, or none because another engine lives and holds one. */
  acquire(life: Life): boolean {
    const locks = LOCKS.map((name) => ({
      isInState: name === 'state',
      isHeld: this.#holders.get(name)?.isAlive === true,
      by: null,
    }))
    if (heldLease(this.#parts.locks(locks)) !== null) return false
    for (const name of LOCKS) this.#holders.set(name, life)
    return true
  }

  /** Moves the state away, with its lock. */
  moveAway(): void {
    this.#isAway = true
  }

  /** Restores the state to its place and makes every disk writable. */
  repair(): void {
    this.#isAway = false
    this.readOnly = null
  }

  /** Puts a copy in the place of the state, or of the whole git folder; the copy's locks are free. */
  replaceByCopy(what: 'state' | 'git'): void {
    this.#facts = copyOf(this.#facts)
    this.#holders.delete('state')
    if (what === 'git') this.#holders.delete('git')
  }

  /** Lets every engine look at the files of its state. */
  look(): void {
    for (const look of Array.from(this.#watches)) look()
  }

  /** Opens the state as a process does: its handle stays on the same file, wherever that goes. */
  open(): Store {
    const opened = this.#facts
    const store = openMemoryStore(opened)
    const whileWritable = <T>(write: () => Promise<T>): Promise<T> => {
      const problem = this.#lossOf(opened) ?? this.writeProblem('state')
      return problem === null ? write() : Promise.reject(new ProblemError(problem))
    }
    return {
      ...store,
      claim: (ledger) => whileWritable(() => store.claim(ledger)),
      append: (batch) => whileWritable(() => store.append(batch)),
      watchFiles: (lost) => this.#watch(() => this.#lossOf(opened), lost),
    }
  }

  /** Describes why a disk cannot be written now, or returns null. */
  writeProblem(disk: SimDiskName): Problem | null {
    const problem = this.readOnly === disk ? diskProblem('EROFS', `the ${disk}`, null) : null
    return problem === null ? null : this.#parts.trouble(problem)
  }

  #watch(lossNow: () => Problem | null, lost: (problem: Problem) => void): void {
    const look = () => {
      const problem = lossNow()
      if (problem === null) return
      this.#watches.delete(look)
      lost(problem)
    }
    this.#watches.add(look)
  }

  #lossOf(opened: StoreMemory): Problem | null {
    if (opened !== this.#facts) return stateLost('replaced', 'the state')
    return this.#isAway ? stateLost('gone', 'the state') : null
  }
}

// Watches are functions of processes, which a copy does not have.
function copyOf(facts: StoreMemory): StoreMemory {
  return { ...structuredClone({ ...facts, watches: new Set() }), watches: new Set() }
}
