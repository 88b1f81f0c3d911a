import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isExpired } from '../../../core/limits/retention.ts'
import { folderSize } from '../render/folder-size.ts'
import { VERIFY_CORNER } from '../verbs/verify.ts'
import type { Freeable, Grounds } from './freeable.ts'

/** Checkouts of verifications that were killed. */
export async function freeableCorners({ place, at }: Grounds): Promise<readonly Freeable[]> {
  const entries = await readdir(place.workspacesHome).catch(() => [])
  const found = entries.filter((name) => name.startsWith(VERIFY_CORNER)).map((name) => cornerOf(place, name, at))
  return (await Promise.all(found)).flat()
}

async function cornerOf(place: Grounds['place'], name: string, at: number): Promise<readonly Freeable[]> {
  const folder = join(place.workspacesHome, name)
  const changedAt = (await stat(folder).catch(() => null))?.mtimeMs ?? at
  if (!isExpired('checkout', changedAt, at)) return []
  const free = async () => {
    await place.removeCorner(name)
    return null
  }
  return [{ what: 'checkout', name, why: 'of a verification that was cut off', size: await folderSize(folder), free }]
}
