import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'

/** Workspace whose processes the guard ends when the engine dies. */
export interface GuardedPlace {
  readonly folder: string | null
  readonly pidFolder: string
}

/** Process that outlives the engine for a moment and ends the processes it left running. */
export interface Guard {
  readonly pid: number
  /** Counted: a place is watched until `unwatch` was called as often as `watch`. */
  watch(place: GuardedPlace): void
  unwatch(place: GuardedPlace): void
  /** Lets the guard end what it still watches, and waits for its exit. */
  end(): Promise<void>
}

/** Line that the engine sends to its guard. */
export type GuardLine = readonly ['watch' | 'unwatch', GuardedPlace]

/** Starts a guard in a session of its own, which ends only when the pipe to it closes; null when the system refuses. */
export function startGuard(file: string): Guard | null {
  const first = spawnGuard(file)
  return first.pid === undefined ? null : guardOver(first, () => spawnGuard(file))
}

function guardOver(first: ChildProcess, startAnother: () => ChildProcess): Guard {
  const places = new Map<string, { readonly place: GuardedPlace; count: number }>()
  let child = first
  const send = (line: GuardLine): void => {
    child.stdin?.write(`${JSON.stringify(line)}\n`)
  }
  const replaceIfDead = (): void => {
    if (isRunning(child)) return
    child = startAnother()
    for (const { place } of places.values()) send(['watch', place])
  }
  return {
    get pid() {
      return child.pid ?? 0
    },
    watch(place) {
      replaceIfDead()
      const key = JSON.stringify([place.folder, place.pidFolder])
      const watched = places.get(key)
      places.set(key, { place, count: (watched?.count ?? 0) + 1 })
      if (watched === undefined) send(['watch', place])
    },
    unwatch(place) {
      const key = JSON.stringify([place.folder, place.pidFolder])
      const watched = places.get(key)
      if (watched === undefined) return
      watched.count -= 1
      if (watched.count > 0) return
      places.delete(key)
      send(['unwatch', place])
    },
    async end() {
      places.clear()
      if (!isRunning(child)) return
      const exited = once(child, 'exit')
      child.ref()
      child.stdin?.end()
      await exited
    },
  }
}

function spawnGuard(file: string): ChildProcess {
  const child = spawn(process.execPath, [file], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // A dead guard is replaced at the next watch; until then the sweep at start-up stands in for it.
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  child.unref()
  ;(child.stdin as Socket | null)?.unref()
  return child
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}
