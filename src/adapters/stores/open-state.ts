import { accessSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { engineWithoutState, RUN_PURPOSE } from '../../core/model/lease.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { State } from '../../ports/repository.ts'
import { fileActivities } from './activities.ts'
import { type LeasePlace, lockAll, sqliteLeases } from './lease.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import { problemOf } from './trouble.ts'

/** Opens the state in a folder and creates it where it is missing. */
export async function openState(place: LeasePlace): Promise<State | Problem> {
  const { stateFolder: folder } = place
  const store = await openSqliteStore({ folder })
  if (isProblem(store)) return store
  return { store, leases: sqliteLeases(place), activities: fileActivities(join(folder, 'activity')) }
}

const LOOK_MS = 20
const LOOKS_MAX = 250

/** Prepares a place for a new state under the lease; refuses while an engine works with a state that was moved away. */
export async function prepareState(place: LeasePlace, prepare: () => Problem | null): Promise<Problem | null> {
  const blocked = problemWithFolder(place.stateFolder)
  if (blocked !== null) return blocked
  for (let looks = 1; ; looks += 1) {
    const lease = await lockAll(place)
    if (isProblem(lease)) return lease
    if (lease.kind === 'held') {
      // Other verbs hold it for a moment only.
      const isBrief = lease.by?.purpose !== RUN_PURPOSE && looks < LOOKS_MAX
      if (!isBrief) return engineWithoutState(lease, place.stateFolder)
      await pause(LOOK_MS)
      continue
    }
    try {
      return prepare()
    } finally {
      await lease.release()
    }
  }
}

/** Reports a file in the place of the state's folder, before any lock is created. */
function problemWithFolder(folder: string): Problem | null {
  const file = join(folder, 'state.db')
  try {
    accessSync(file)
    return null
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ENOTDIR' ? problemOf(file, cause) : null
  }
}
