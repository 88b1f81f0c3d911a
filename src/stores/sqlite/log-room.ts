import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'

// A write to the end of a file waits until the file system has written down that the file is longer, and with it everything
// else that was made on the same disk shortly before: whole workspaces. A write into the middle waits for itself.

/**
 * Makes the write-ahead log as long as it will become before it is used from its start again. Nothing that is in it counts
 * but what SQLite has put there: it takes a frame without the log's own marks for the end.
 */
export function makeRoomInLog(db: DatabaseSyncInstance, file: string): void {
  try {
    // While it is held, nobody else writes to the log.
    db.exec('BEGIN IMMEDIATE')
    try {
      lengthen(`${file}-wal`)
    } finally {
      db.exec('ROLLBACK')
    }
  } catch {
    // Somebody writes, or there is no log or no room on the disk: then it grows as it is used.
  }
}

// SQLite begins it anew after a thousand pages; the last transaction may go beyond.
const LOG_BYTES = 1_100 * 4_120

function lengthen(log: string): void {
  const descriptor = openSync(log, 'r+')
  try {
    const { size } = fstatSync(descriptor)
    const missing = LOG_BYTES - size
    if (missing <= 0) return
    if (writeSync(descriptor, Buffer.alloc(missing), 0, missing, size) < missing) ftruncateSync(descriptor, size)
    fdatasyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
