import type { ChildProcess } from 'node:child_process'
import { type Containment, waitingCommand } from './containment.ts'
import { readProcess } from './process-table.ts'
import { isShellBusy } from './run-in-shell.ts'
import { eachHandle, spawnShell } from './shell.ts'

// Making a process takes Node milliseconds (see run-in-shell.ts), and bwrap takes some, too. So some are made beforehand:
// nothing but exec lies between what waits and what is wanted.

/** A process that waits under a containment to become another. Null: none can be made. */
export function takeWaiting(containment: Containment): ChildProcess | null {
  return storeFor(containment).take()
}

/** Makes as many as there should be; while they wait, they keep nobody from ending. */
export function fillWaiting(containment: Containment): void {
  storeFor(containment).fill()
}

/** Ends what still waits, and sees it gone. */
export async function endWaiting(): Promise<void> {
  const all = [...stores.values()]
  stores.clear()
  await Promise.all(all.map((store) => store.end()))
}

const WAITING_MAX = 4
const REFILL_MS = 50
const REFILL_TRIES_MAX = 20
const END_MS_MAX = 1_000
const stores = new Map<Containment, Store>()

function storeFor(containment: Containment): Store {
  const store = stores.get(containment) ?? new Store(containment)
  stores.set(containment, store)
  return store
}

/** What waits under one containment. */
class Store {
  readonly #containment: Containment
  readonly #children: ChildProcess[] = []
  #refilling: NodeJS.Timeout | undefined

  constructor(containment: Containment) {
    this.#containment = containment
  }

  take(): ChildProcess | null {
    const child = this.#children.pop()
    this.#refillSoon()
    if (child === undefined) return this.#make()
    if (!isThere(child)) return this.take()
    eachHandle(child, (handle) => handle.ref())
    return child
  }

  fill(): void {
    while (this.#children.length < WAITING_MAX && this.#add());
  }

  async end(): Promise<void> {
    clearTimeout(this.#refilling)
    await Promise.all(this.#children.splice(0).map(endUnused))
  }

  #make(): ChildProcess | null {
    const child = spawnShell(waitingCommand(this.#containment, '/'), ['pipe', 'pipe', 'pipe', 'pipe'])
    // One that has died says so by its end.
    child?.stdin?.on('error', () => {})
    return child
  }

  #add(): boolean {
    const child = this.#make()
    if (child === null) return false
    eachHandle(child, (handle) => handle.unref())
    this.#children.push(child)
    return true
  }

  // Later, one at a time, and if possible when nothing waits for us: everything else stands still meanwhile. Where none can
  // be made, not before one is wanted again.
  #refillSoon(tries = 1): void {
    this.#refilling ??= setTimeout(() => {
      this.#refilling = undefined
      if (this.#children.length >= WAITING_MAX) return
      if (isShellBusy() && tries < REFILL_TRIES_MAX) this.#refillSoon(tries + 1)
      else if (this.#add()) this.#refillSoon()
    }, REFILL_MS).unref()
  }
}

async function endUnused(child: ChildProcess): Promise<void> {
  if (!isThere(child)) return
  eachHandle(child, (handle) => handle.ref())
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.stdin?.end()
  const impatient = setTimeout(() => child.kill('SIGKILL'), END_MS_MAX)
  await gone
  clearTimeout(impatient)
}

// Node may have yet to hear of its end.
function isThere({ exitCode, signalCode, pid = 0 }: ChildProcess): boolean {
  return exitCode === null && signalCode === null && readProcess(pid) !== null
}
