import { join } from 'node:path'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { State } from '../../ports/repository.ts'
import { fileActivities } from './activities.ts'
import { sqliteLeases } from './lease.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'

/** Opens the state in a folder and creates it where it is missing. */
export async function openState(folder: string): Promise<State | Problem> {
  const store = await openSqliteStore({ folder })
  if (isProblem(store)) return store
  return { store, leases: sqliteLeases(folder), activities: fileActivities(join(folder, 'activity')) }
}
