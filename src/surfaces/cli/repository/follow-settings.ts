import { unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import type { Request } from '../../../core/model/input.ts'
import { ProblemError } from '../../../core/model/problem.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { ReadSettings } from './open-repository.ts'

type Ask = (request: Request) => Promise<unknown>

/** Settings of a repository, and the way to read them again. */
export interface SettingsToFollow {
  readonly root: string
  readonly current: ReadSettings
  /** Reads the settings; throws problems when they cannot be adopted. */
  read(): Promise<ReadSettings>
}

/** Follows the files of the settings while an engine runs: adopts good edits, and reports bad ones. */
export function followSettings(clock: Clock, followed: SettingsToFollow, ask: Ask): { close(): void } {
  const watched = new Set<string>()
  let cancelReading = () => {}
  let isClosed = false

  const watch = ({ values }: ReadSettings) => {
    for (const file of values.sources.map((source) => join(followed.root, source))) {
      if (watched.has(file)) continue
      watched.add(file)
      watchFile(file, { interval: LOOK_MS, persistent: false }, changed)
    }
  }
  // An editor may write a file in several steps; the last one counts.
  const changed = () => {
    cancelReading()
    cancelReading = clock.after(SETTLE_MS, () => void readAgain())
  }
  const readAgain = async () => {
    const settings = await followed.read().catch(reasonOf)
    if (isClosed) return
    if (typeof settings === 'string') await ask({ kind: 'reject-settings', reason: settings })
    else {
      watch(settings)
      await ask({ kind: 'adopt-settings', ...settings })
    }
  }
  watch(followed.current)
  // The files may have changed since they were read.
  changed()
  return {
    close() {
      isClosed = true
      cancelReading()
      for (const file of watched) unwatchFile(file, changed)
    },
  }
}

// Looking at the files notices every way to save them, on every kind of disk; events of the system miss some.
const LOOK_MS = 1_000
const SETTLE_MS = 200

function reasonOf(error: unknown): string {
  if (!(error instanceof ProblemError)) return String(error)
  return error.problems.map(({ message, hint }) => `${message} ${hint}`).join(' ')
}
