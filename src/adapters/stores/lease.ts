import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { heldLease, type LeaseHeld, type LeaseHolder, type LockSeen } from '../../core/model/lease.ts'
import type { Problem } from '../../core/model/problem.ts'
import type { Lease, Leases } from '../../ports/store.ts'
import { asTrouble, isBusy, problemOf } from './trouble.ts'

// Longer than a reader holds the file, and short enough to refuse without delay.
const BUSY_TIMEOUT_MS = 100

/** Folders that a lease protects. */
export interface LeasePlace {
  readonly stateFolder: string
  readonly gitDir: string
  readonly workspacesHome: string
}

/** Leases of a repository: exclusive transactions on lock databases, which end with the process that holds them. */
export function sqliteLeases(place: LeasePlace): Leases {
  const locks = locksOf(place)
  return {
    async acquire(holder) {
      const lease = await lockAll(place)
      if (lease.kind === 'lease') for (const { names } of locks) writeHolder(names, holder)
      return lease
    },
    async holder() {
      const held = heldLease(locks.map(lockSeen))
      return held === null ? null : (held.by ?? UNNAMED_HOLDER)
    },
  }
}

/** Takes every lock of a lease without naming a holder, or none of them. */
export async function lockAll(place: LeasePlace): Promise<Lease | LeaseHeld | Problem> {
  for (let looks = 1; ; looks += 1) {
    const lease = tryLockAll(locksOf(place))
    // Another process may be taking the locks one by one.
    if (lease.kind !== 'held' || lease.state === 'here' || looks === LOOKS_MAX) return lease
    await pause(LOOK_MS)
  }
}

const LOOKS_MAX = 3
const LOOK_MS = 50

function tryLockAll(locks: readonly LockFile[]): Lease | LeaseHeld | Problem {
  const taken: DatabaseSyncInstance[] = []
  for (const lock of locks) {
    const answer = takeLock(lock.file)
    if (answer.kind === 'locked') taken.push(answer.db)
    else {
      closeAll(taken)
      return answer.kind === 'problem' ? answer : heldFrom(lock, locks)
    }
  }
  return leaseOn(taken, locks)
}

interface LockFile {
  readonly file: string
  /** Names the holder, for messages only. */
  readonly names: string
  readonly isInState: boolean
}

// The state folder comes last: a refusal must not create it, or one that was moved away could not be moved back.
function locksOf({ stateFolder, gitDir, workspacesHome }: LeasePlace): readonly LockFile[] {
  const lockAt = (path: string, isInState: boolean) => ({ file: `${path}.db`, names: `${path}.json`, isInState })
  const outside = [join(gitDir, 'longhaul-lease'), `${workspacesHome}.lease`]
  return [...outside.map((path) => lockAt(path, false)), lockAt(join(stateFolder, 'lease'), true)]
}

// Keeps a reference: a handle that is garbage-collected silently releases its lock.
const held = new Set<readonly DatabaseSyncInstance[]>()

const UNNAMED_HOLDER: LeaseHolder = { pid: 0, startedAt: 0, purpose: 'unknown' }

function leaseOn(taken: readonly DatabaseSyncInstance[], locks: readonly LockFile[]): Lease {
  held.add(taken)
  return {
    kind: 'lease',
    async release() {
      if (!held.delete(taken)) return
      for (const { names } of locks) forgetHolder(names)
      closeAll(taken)
    },
  }
}

// The lock in the state is released last: free, beside a held one elsewhere, it means that the state was moved.
function closeAll(taken: readonly DatabaseSyncInstance[]): void {
  for (const db of taken) db.close()
}

function heldFrom(lock: LockFile, locks: readonly LockFile[]): LeaseHeld {
  const by = readHolder(lock.names)
  return heldLease(locks.map(lockSeen)) ?? { kind: 'held', by, state: 'here' }
}

type Lock = { readonly kind: 'locked'; readonly db: DatabaseSyncInstance } | { readonly kind: 'held' } | Problem

function takeLock(file: string): Lock {
  let db: DatabaseSyncInstance | null = null
  try {
    mkdirSync(dirname(file), { recursive: true })
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

function lockSeen({ file, names, isInState }: LockFile): LockSeen {
  const isHeld = isLocked(file)
  return { isInState, isHeld, by: isHeld ? readHolder(names) : null }
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
