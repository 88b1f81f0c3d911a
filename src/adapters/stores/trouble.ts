import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { getSystemErrorMap } from 'node:util'
import { diskProblem } from '../../core/model/disk-problem.ts'
import { carriedProblem, type Problem, ProblemError, problem } from '../../core/model/problem.ts'

/** Longest time that one call blocks inside SQLite while another process holds the file. */
export const BUSY_TIMEOUT_MS = 100
const BUSY_PAUSE_MS = 50
const BUSY_TRIES_MAX = 200

/** Runs one operation on a database file: retries while other processes hold it, and throws trouble of the machine as ProblemError. */
export async function withFile<T>(file: string, operate: () => T): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return operate()
    } catch (error) {
      if (!isBusy(error) || tries >= BUSY_TRIES_MAX) throw asTrouble(file, error)
    }
    await pause(BUSY_PAUSE_MS)
  }
}

/** True when another process holds the file. */
export function isBusy(error: unknown): boolean {
  return [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL].includes(sqliteCode(error))
}

/** Wraps trouble of the machine in a ProblemError; returns a bug unchanged. */
export function asTrouble(file: string, error: unknown): unknown {
  const trouble = problemOf(file, error)
  return trouble ? new ProblemError(trouble) : error
}

/** Describes trouble of the machine with a file; null for a bug. */
export function problemOf(file: string, error: unknown): Problem | null {
  const carried = carriedProblem(error)
  if (carried !== null) return carried
  const code = sqliteCode(error)
  const system = systemCode(error)
  const disk = diskProblem(code === SQLITE_FULL ? 'ENOSPC' : system, file, error)
  if (disk !== null) return disk
  // Our own JSON does not parse.
  const isGarbled = error instanceof SyntaxError
  if (isGarbled || code === SQLITE_CORRUPT || code === SQLITE_NOTADB) return damaged(file, error)
  if (isBusy(error)) return busy(file, error)
  if (UNWRITABLE.has(code) || system !== '') return unwritable(file, system, error)
  return null
}

/** Path where a person should keep a copy of a file. */
export function backupOf(file: string): string {
  return `${file}.backup-1`
}

/** Reports a file whose content is damaged. */
export function damaged(file: string, cause: unknown): Problem {
  return problem({
    code: 'state-damaged',
    message: `${file} is damaged (${textOf(cause)}). It was left untouched.`,
    hint: `Copy it to ${backupOf(file)}, with ${file}-wal beside it if there is one. ${RESTORE_HINT}`,
    retry: 'never',
    cause,
  })
}

/** Creates the error for a fact that cannot be trusted, such as "event 7 of run/r1 does not match its checksum". */
export function factDamaged(file: string, what: string): ProblemError {
  return new ProblemError(
    problem({
      code: 'state-damaged',
      message: `${file} is damaged: ${what}. It was left untouched, and nothing was guessed.`,
      hint: `See everything that is damaged with "longhaul doctor --deep". ${RESTORE_HINT}`,
      retry: 'never',
    }),
  )
}

const RESTORE_HINT =
  'Then move its folder away, and restore a backup with "longhaul import BACKUP"; without one, "longhaul recover" rebuilds what git knows.'

const SQLITE_PERM = 3
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_PROTOCOL = 15
const SQLITE_NOTADB = 26
const UNWRITABLE = new Set([SQLITE_PERM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN])

function busy(file: string, cause: unknown): Problem {
  return problem({
    code: 'state-busy',
    message: `${file} was locked by another process for half a minute, so nothing was recorded.`,
    hint: 'End the stopped longhaul process or other program that has the file open, then run the command again.',
    retry: 'later',
    cause,
  })
}

function unwritable(file: string, system: string, cause: unknown): Problem {
  if (system === 'EEXIST' || system === 'ENOTDIR') {
    const message = `${dirname(file)} is a file, but the state needs a folder there. It was left untouched.`
    return problem({
      code: 'state-unwritable',
      message,
      hint: 'Move it away, then run the command again.',
      retry: 'person',
      cause,
    })
  }
  return problem({
    code: 'state-unwritable',
    message: `${file} cannot be used (${system === '' ? textOf(cause) : systemText(system)}). It was left untouched.`,
    hint: 'Make its folder writable, on a disk that is mounted for writing, then run the command again.',
    retry: 'person',
    cause,
  })
}

/** Returns SQLite's primary result code, or -1. */
function sqliteCode(error: unknown): number {
  const { code, errcode, message } = (error ?? {}) as { code?: unknown; errcode?: unknown; message?: unknown }
  if (typeof errcode === 'number') return errcode & 0xff
  return code === 'ERR_SQLITE_ERROR' ? (CODES_BY_TEXT.get(String(message)) ?? -1) : -1
}

// Some calls of the package (`all`) throw SQLite's text without its code.
const CODES_BY_TEXT: ReadonlyMap<string, number> = new Map([
  ['database is locked', SQLITE_BUSY],
  ['database table is locked', SQLITE_LOCKED],
  ['locking protocol', SQLITE_PROTOCOL],
  ['attempt to write a readonly database', SQLITE_READONLY],
  ['disk I/O error', SQLITE_IOERR],
  ['unable to open database file', SQLITE_CANTOPEN],
  ['database or disk is full', SQLITE_FULL],
  ['database disk image is malformed', SQLITE_CORRUPT],
  ['file is not a database', SQLITE_NOTADB],
])

/** Returns the system's error name (`EACCES`), or ''. */
function systemCode(error: unknown): string {
  const { systemErrno, syscall, code } = (error ?? {}) as { systemErrno?: unknown; syscall?: unknown; code?: unknown }
  if (typeof systemErrno === 'number') return getSystemErrorMap().get(-systemErrno)?.[0] ?? ''
  return typeof syscall === 'string' && typeof code === 'string' ? code : ''
}

function systemText(system: string): string {
  for (const [name, text] of getSystemErrorMap().values()) if (name === system) return text
  return system
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
