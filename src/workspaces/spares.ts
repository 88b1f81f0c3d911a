import { mkdir, statfs } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { SPARES_FREE_SHARE_MIN } from '../core/limits/limits.ts'
import type { Commit } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'
import { isShellBusy, untilShellsRest } from '../process/run-in-shell.ts'
import { checkoutPlace, type Place, type Spare, type SpareUse } from './places.ts'
import { removePlace } from './remove-place.ts'

type MakeClone = (place: Place, commit: Commit, signal: AbortSignal) => Promise<Problem | null>

// They lie where checkouts lie: what a killed engine leaves of them is removed with those, at the next start.

/** Clones that are made before there is a use for them, one after the other, while nothing else is done here; too many go likewise. */
export class Spares {
  readonly #home: string
  readonly #make: MakeClone
  readonly #there: Spare[] = []
  readonly #end = new AbortController()
  #wanted: { readonly count: number; readonly commit: Commit } | null = null
  #changing: Promise<void> | null = null
  #made = 0

  constructor(home: string, make: MakeClone) {
    this.#home = home
    this.#make = make
  }

  /** Has so many at hand from now on, and no more; what is at another commit will do. Settles when that is so, or given up. */
  async keep(count: number, commit: Commit): Promise<void> {
    this.#wanted = { count, commit }
    if (this.#missing !== 0) this.#changing ??= this.#change().finally(() => (this.#changing = null))
    await this.#changing
  }

  /** One that is now the caller's. The last is for a workspace: in a slot, an agent waits. */
  take(use: SpareUse): Spare | null {
    return use === 'checkout' && this.#there.length < 2 ? null : (this.#there.pop() ?? null)
  }

  /** Makes no more, and removes what is there. */
  async close(): Promise<void> {
    this.#end.abort()
    await this.#changing
    await this.#remove(this.#there.splice(0))
  }

  get #missing(): number {
    return this.#end.signal.aborted ? 0 : (this.#wanted?.count ?? 0) - this.#there.length
  }

  // What is wanted no more may be wanted by work that has just begun, and whose place is not made yet.
  async #change(): Promise<void> {
    while (this.#missing !== 0) {
      await untilShellsRest()
      await pause(QUIET_MS, undefined, { ref: false, signal: this.#end.signal }).catch(() => {}) // called off
      if (isShellBusy() || this.#missing === 0 || this.#wanted === null) continue
      if (this.#missing < 0) await this.#remove(this.#there.splice(this.#missing))
      else if (!(await hasRoom(this.#home))) return this.#remove(this.#there.splice(0))
      // What did not work once would only be in the way of what has to.
      else if (!(await this.#makeOne(this.#wanted.commit))) this.#end.abort()
    }
  }

  async #makeOne(commit: Commit): Promise<boolean> {
    this.#made += 1
    // No other engine's, in whatever order they end and start.
    const place = checkoutPlace(this.#home, `spare-${process.pid}-${this.#made}`)
    // Nothing rests on it, whatever goes wrong.
    const isMade = await this.#make(place, commit, this.#end.signal).then(isNone, () => false)
    if (isMade) this.#there.push({ place, commit })
    else await removePlace(place)
    return isMade
  }

  async #remove(unwanted: readonly Spare[]): Promise<void> {
    for (const { place } of unwanted) await removePlace(place)
  }
}

function isNone(failed: Problem | null): boolean {
  return failed === null
}

// Between the steps of what goes on there are shorter pauses than this.
const QUIET_MS = 25

async function hasRoom(home: string): Promise<boolean> {
  try {
    await mkdir(home, { recursive: true })
    const { bavail, blocks } = await statfs(home)
    return bavail >= blocks * SPARES_FREE_SHARE_MIN
  } catch {
    return false // what needs the folder will say so
  }
}
