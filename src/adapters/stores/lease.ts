import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Problem } from '../../core/model/problem.ts'
import type { Lease, LeaseHolder, Leases } from '../../ports/store.ts'
import { asTrouble, isBusy, problemOf } from './trouble.ts'

// Longer than a reader holds the file, and short enough to refuse without delay.
const BUSY_TIMEOUT_MS = 100

/** Leases on a state folder: an exclusive transaction on a lock database, which ends with the process that holds it. */
export function sqliteLeases(folder: string): Leases {
  const file = join(folder, 'lease.db')
  const holderFile = join(folder, 'lease.json')
  return {
    async acquire(holder) {
      const lock = takeLock(folder, file)
      if (lock.kind === 'held') return { kind: 'held', by: readHolder(holderFile) }
      if (lock.kind === 'problem') return lock
      writeHolder(holderFile, holder)
      return leaseOn(lock.db, holderFile)
    },
    async holder() {
      return isLocked(file) ? (readHolder(holderFile) ?? UNNAMED_HOLDER) : null
    },
  }
}

// Keeps a reference: a handle that is garbage-collected silently releases its lock.
const held = new Set<DatabaseSyncInstance>()

const UNNAMED_HOLDER: LeaseHolder = { pid: 0, startedAt: 0, purpose: 'unknown' }

function leaseOn(db: DatabaseSyncInstance, holderFile: string): Lease {
  held.add(db)
  return {
    kind: 'lease',
    async release() {
      if (!held.delete(db)) return
      forgetHolder(holderFile)
      db.close()
    },
  }
}

type Lock = { readonly kind: 'locked'; readonly db: DatabaseSyncInstance } | { readonly kind: 'held' } | Problem

function takeLock(folder: string, file: string): Lock {
  let db: DatabaseSyncInstance | null = null
  try {
    mkdirSync(folder, { recursive: true })
    db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    // On a read-only file SQLite begins a shared transaction without an error.
    accessSync(file, constants.W_OK)
    db.exec('BEGIN EXCLUSIVE')
    return { kind: 'locked', db }
  } catch (error) {
    db?.close()
    if (isBusy(error)) return { kind: 'held' }
    const problem = problemOf(file, error)
    if (problem) return problem
    throw error
  }
}

function isLocked(file: string): boolean {
  if (!existsSync(file)) return false
  let db: DatabaseSyncInstance | null = null
  try {
    db = new DatabaseSync(file, { readOnly: true })
    db.exec('SELECT count(*) FROM sqlite_schema')
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw asTrouble(file, error)
  } finally {
    db?.close()
  }
}

function writeHolder(file: string, holder: LeaseHolder): void {
  try {
    writeFileSync(file, JSON.stringify(holder))
  } catch {
    // The file only improves a message; the lease is held without it.
  }
}

function forgetHolder(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // The next holder overwrites it.
  }
}

function readHolder(file: string): LeaseHolder | null {
  try {
    const { pid, startedAt, purpose } = JSON.parse(readFileSync(file, 'utf8'))
    return { pid: Number(pid), startedAt: Number(startedAt), purpose: String(purpose) }
  } catch {
    // not written yet, or only half
    return null
  }
}
