import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { State } from '../../ports/repository.ts'
import type { Store } from '../../ports/store.ts'
import { fileActivities } from './activities.ts'
import { type LeasePlace, sqliteLeases } from './lease.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import { problemOf } from './trouble.ts'

/** Opens a private copy of a state that cannot be written, because SQLite needs to write beside a file to read all of it. */
export async function openStateCopy(place: LeasePlace): Promise<State | Problem> {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-state-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const store = copyState(place.stateFolder, folder) ?? (await openSqliteStore({ folder }))
  if (isProblem(store)) {
    remove()
    return store
  }
  const activities = fileActivities(join(place.stateFolder, 'activity'))
  return { store: closedWith(store, remove), leases: sqliteLeases(place), activities }
}

// An engine of another user may write meanwhile; then the copy is taken again.
function copyState(from: string, to: string): Problem | null {
  const file = join(from, 'state.db')
  try {
    for (let before = '', tries = 0; before !== stampOf(file) && tries < COPIES_MAX; tries += 1) {
      before = stampOf(file)
      for (const ending of ['', '-wal']) {
        if (existsSync(file + ending)) copyFileSync(file + ending, join(to, `state.db${ending}`))
      }
    }
    return null
  } catch (error) {
    const problem = problemOf(file, error)
    if (problem === null) throw error
    return problem
  }
}

const COPIES_MAX = 5

function stampOf(file: string): string {
  return ['', '-wal'].map((ending) => statSync(file + ending, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ')
}

// A verb that ends early does not close the store.
function closedWith(store: Store, remove: () => void): Store {
  process.once('exit', remove)
  return {
    ...store,
    async close() {
      await store.close()
      process.off('exit', remove)
      remove()
    },
  }
}
