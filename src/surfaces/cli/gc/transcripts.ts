import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { KEPT_TRANSCRIPT_MS_MAX } from '../../../core/limits/limits.ts'
import { isExpired } from '../../../core/limits/retention.ts'
import { folderSize } from '../render/folder-size.ts'
import type { Freeable, Grounds } from './freeable.ts'

/** Transcripts of attempts that ended long ago. */
export async function freeableTranscripts({ place, fateOf, at }: Grounds): Promise<readonly Freeable[]> {
  const home = join(place.stateFolder, 'transcripts')
  const attempts = await readdir(home).catch(() => [])
  const old = await Promise.all(
    attempts.map(async (attempt): Promise<readonly Freeable[]> => {
      const folder = join(home, attempt)
      const changedAt = await lastChangeIn(folder)
      if (fateOf(attempt) === 'live' || !isExpired('transcript', changedAt, at)) return []
      const free = async () => {
        await rm(folder, { recursive: true, force: true })
        return null
      }
      return [{ what: 'transcripts', name: attempt, why: WHY, size: await folderSize(folder), free }]
    }),
  )
  return old.flat()
}

const WHY = `written more than ${KEPT_TRANSCRIPT_MS_MAX / 86_400_000} days ago`

async function lastChangeIn(folder: string): Promise<number> {
  const files = await readdir(folder).catch(() => [])
  const times = files.map(async (file) => (await stat(join(folder, file)).catch(() => null))?.mtimeMs ?? 0)
  return Math.max(0, ...(await Promise.all(times)))
}
