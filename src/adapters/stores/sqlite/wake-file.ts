import { existsSync, type FSWatcher, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const TOUCH_DELAY_MS = 20
const SETTLE_MS = 5
const FALLBACK_MS = 1_000

/** Wakes processes that share a state file. */
export interface WakeFile {
  /** Wakes all watchers now, for a request. */
  touch(): void
  /** Wakes other processes after a short delay, because more appends may follow. */
  touchSoon(): void
  watch(wake: () => void): () => void
  close(): void
}

/** Opens a small file beside the state that is touched after commits; `version` changes when another process has committed. */
export function openWakeFile(stateFile: string, version: () => number): WakeFile {
  const file = join(dirname(stateFile), 'wake')
  const watches = new Set<Watch>()
  let soon: NodeJS.Timeout | null = null

  const touch = () => {
    if (soon) clearTimeout(soon)
    soon = null
    touchFile(file)
  }
  return {
    touch() {
      touch()
      for (const watching of watches) watching.wakeSoon()
    },
    touchSoon() {
      soon ??= setTimeout(touch, TOUCH_DELAY_MS).unref()
    },
    watch(wake) {
      const watching = startWatch(file, version, wake)
      watches.add(watching)
      return () => {
        watches.delete(watching)
        watching.stop()
      }
    },
    close() {
      if (soon) touch()
      for (const watching of watches) watching.stop()
      watches.clear()
    },
  }
}

interface Watch {
  wakeSoon(): void
  stop(): void
}

function startWatch(file: string, version: () => number, wake: () => void): Watch {
  let seen = version()
  let isForced = false
  let settling: NodeJS.Timeout | null = null

  const check = () => {
    const last = seen
    seen = readVersion(version)
    const isNews = isForced || seen !== last
    isForced = false
    settling = null
    if (isNews) wake()
  }
  const settle = () => {
    settling ??= setTimeout(check, SETTLE_MS).unref()
  }
  const fallback = setInterval(settle, FALLBACK_MS).unref()
  const watcher = watchFile(file, settle)
  return {
    wakeSoon() {
      isForced = true
      settle()
    },
    stop() {
      clearInterval(fallback)
      if (settling) clearTimeout(settling)
      watcher?.close()
    },
  }
}

// NaN differs from everything, so an unreadable state wakes the reader, who then meets the trouble itself.
function readVersion(version: () => number): number {
  try {
    return version()
  } catch {
    return Number.NaN
  }
}

// Polling is enough when files cannot be watched (too many watches, some network disks).
function watchFile(file: string, changed: () => void): FSWatcher | null {
  try {
    touchFile(file)
    const watcher = watch(file, { persistent: false }, changed)
    return watcher.on('error', () => watcher.close())
  } catch {
    return null
  }
}

// Written in place: truncating first would cost a disk write at each append.
function touchFile(file: string): void {
  try {
    writeFileSync(file, '.', { flag: existsSync(file) ? 'r+' : 'w' })
  } catch {
    // A full disk: other processes notice by polling.
  }
}
