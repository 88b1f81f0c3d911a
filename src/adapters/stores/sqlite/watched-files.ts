import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { type Problem, ProblemError } from '../../../core/model/problem.ts'
import {
  type FileSeen,
  type StateFilesSeen,
  type StateLoss,
  stateLoss,
  stateLost,
} from '../../../core/model/state-loss.ts'
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.ts'

const LOOK_MS = 500

/** Files of a state in use, which are looked at about twice a second. */
export interface WatchedFiles {
  /** Throws when the files are gone, replaced or truncated. */
  check(): void
  /** True once a loss was noticed: the handle must not write to files that are no longer ours. */
  isLost(): boolean
  close(): void
}

/** Watches the files of an open database; calls back once when they are no longer those that were opened. */
export function watchFiles(db: DatabaseSyncInstance, file: string, lost: (problem: Problem) => void): WatchedFiles {
  // Closing such a handle drops SQLite's locks, so they stay open as long as the database.
  const handles = { database: openSync(file, 'r'), index: openSync(`${file}-shm`, 'r') }
  const version = db.prepare('PRAGMA user_version')
  const look = () => lookAt(file, handles, () => Number(version.get()?.user_version ?? 0))
  let before = look()
  let suspicion: StateLoss | null = null
  let problem: Problem | null = null

  const report = (loss: StateLoss) => {
    problem = stateLost(loss, file)
    clearInterval(timer)
    lost(problem)
  }
  const examine = (): StateLoss | null => {
    if (problem !== null) return null
    const now = look()
    const loss = stateLoss(before, now)
    if (loss === null) before = now
    // A checkpoint of another process may be halfway: it has written the database, and not yet said so.
    if (loss !== null && (loss !== 'overwritten' || suspicion === loss)) report(loss)
    return loss
  }
  const timer = setInterval(() => {
    suspicion = examine()
  }, LOOK_MS).unref()
  return {
    check() {
      examine()
      if (problem !== null) throw new ProblemError(problem)
    },
    isLost: () => problem !== null,
    close() {
      clearInterval(timer)
      for (const handle of Object.values(handles)) closeSync(handle)
    },
  }
}

/** Writes to a store unless its files are lost; a loss explains a failure better than SQLite does. */
export async function whileSafe<T>(files: WatchedFiles | null, write: () => Promise<T>): Promise<T> {
  files?.check()
  return write().catch((cause: unknown) => {
    files?.check()
    throw cause
  })
}

interface Handles {
  readonly database: number
  readonly index: number
}

function lookAt(file: string, { database, index }: Handles, version: () => number): StateFilesSeen {
  let before = indexIn(index)
  for (;;) {
    const seen = { database: fileAt(file), log: fileAt(`${file}-wal`), ...before }
    const after = indexIn(index)
    // A process that commits or empties the log meanwhile makes the two disagree for a moment.
    if (after.logNeeded === before.logNeeded && after.checkpoints === before.checkpoints) {
      return { ...seen, isOurs: isOurs(database), version: versionOr(version) }
    }
    before = after
  }
}

function fileAt(path: string): FileSeen | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (stat === undefined) return null
  return { identity: `${stat.dev}:${stat.ino}`, size: Number(stat.size), writtenAt: String(stat.mtimeNs) }
}

// Offsets in SQLite's wal-index, whose format is fixed: page size, last frame, salts, frames copied into the database.
function indexIn(handle: number): Pick<StateFilesSeen, 'logNeeded' | 'checkpoints'> {
  const bytes = Buffer.alloc(136)
  readSync(handle, bytes, 0, bytes.length, 0)
  const pageSize = bytes.readUInt16LE(14)
  const frames = bytes.readUInt32LE(16)
  return {
    logNeeded:
      frames === 0 ? 0 : LOG_HEADER_BYTES + frames * (FRAME_HEADER_BYTES + (pageSize === 1 ? 65_536 : pageSize)),
    checkpoints: [32, 36, 96, 128].map((offset) => bytes.readUInt32LE(offset)).join(' '),
  }
}

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'
const APPLICATION_ID_OFFSET = 68

// The header gets our mark with the first checkpoint; until then it has none.
function isOurs(handle: number): boolean {
  const header = Buffer.alloc(HEADER_BYTES)
  readSync(handle, header, 0, header.length, 0)
  const mark = header.readUInt32BE(APPLICATION_ID_OFFSET)
  return header.toString('latin1', 0, MAGIC.length) === MAGIC && (mark === APPLICATION_ID || mark === 0)
}

function versionOr(version: () => number): number {
  try {
    return version()
  } catch {
    // The next append meets the trouble itself and describes it.
    return SCHEMA_VERSION
  }
}
