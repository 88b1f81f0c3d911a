import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShownActivity } from '../../core/model/activity.ts'
import type { AttemptId } from '../../core/model/ids.ts'
import type { Activities } from '../../ports/activities.ts'

/** Keeps activities in one small file per attempt, replaced as a whole and never synced to disk. */
export function fileActivities(folder: string): Activities {
  const pathOf = (attempt: AttemptId): string => join(folder, `${attempt}${ENDING}`)
  return {
    show(shown) {
      orNothing(() => {
        const path = pathOf(shown.attempt)
        // The folder above is never created: a state that was moved away must be able to come back.
        if (!existsSync(folder)) mkdirSync(folder)
        writeFileSync(`${path}.new`, JSON.stringify(shown))
        renameSync(`${path}.new`, path)
      })
    },
    forget: (attempt) => void orNothing(() => rmSync(pathOf(attempt), { force: true })),
    clear: () => void orNothing(() => rmSync(folder, { recursive: true, force: true })),
    read() {
      const names = orNothing(() => readdirSync(folder)) ?? []
      const shown = names.flatMap((name) => (name.endsWith(ENDING) ? (readShown(join(folder, name)) ?? []) : []))
      return new Map(shown.map((one) => [one.attempt, one]))
    },
  }
}

const ENDING = '.json'

function readShown(path: string): ShownActivity | null {
  const read = orNothing(() => JSON.parse(readFileSync(path, 'utf8')) as ShownActivity)
  return typeof read?.attempt === 'string' && typeof read.activity?.kind === 'string' ? read : null
}

/** Returns null when a file is gone, unreadable, or the disk is full: then nothing is shown. */
function orNothing<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}
