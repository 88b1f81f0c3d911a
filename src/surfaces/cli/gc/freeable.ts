import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { KEPT_SALVAGE_MS_MAX, KEPT_TRANSCRIPT_MS_MAX } from '../../../core/limits/limits.ts'
import { type AttemptFate, isExpired, workspacesToDiscard } from '../../../core/limits/retention.ts'
import { type Problem, unwrap } from '../../../core/model/problem.ts'
import type { RunState } from '../../../core/run/state.ts'
import type { Repository, Tools } from '../../../ports/repository.ts'
import { type FolderSize, folderSize } from '../render/folder-size.ts'
import { VERIFY_CORNER } from '../verbs/verify.ts'

/** Something of Longhaul's that is no longer needed. */
export interface Freeable {
  readonly what: 'workspace' | 'checkout' | 'salvage' | 'transcripts' | 'cache' | 'objects' | 'refs'
  readonly name: string
  readonly why: string
  /** Size on disk, or null for commits, which git shares. */
  readonly size: FolderSize | null
  free(): Promise<Problem | null>
}

/** Everything that decides which things can be freed. */
export interface GcScope {
  readonly repository: Repository
  readonly tools: Tools
  /** The current run, or null when there is none. */
  readonly run: RunState | null
  /** True while an engine is running: apparent leftovers may be in use. */
  readonly isBusy: boolean
  /** True when package caches are to be freed, too. */
  readonly freesCaches: boolean
  fateOf(attempt: string): AttemptFate
  readonly at: number
}

/** Lists everything that can be freed, in the order in which it is freed. */
export async function listFreeable(scope: GcScope): Promise<readonly Freeable[]> {
  return [
    ...(await workspaces(scope)),
    ...(await verifyCheckouts(scope)),
    ...(await salvagedWork(scope)),
    ...(await transcripts(scope)),
    ...(await caches(scope)),
    ...(await temporaryObjects(scope)),
    ...(await refs(scope)),
  ]
}

const DAY_MS = 86_400_000

/** Lists workspaces and checkouts past their retention; discarding one salvages its unsaved work first. */
async function workspaces({ repository, tools, fateOf, isBusy, at }: GcScope): Promise<readonly Freeable[]> {
  const onDisk = (await tools.workspaces.list()).filter(({ kind }) => kind === 'workspace' || !isBusy)
  return Promise.all(
    workspacesToDiscard(onDisk, fateOf, at).map(async ({ name, why }): Promise<Freeable> => {
      const isCheckout = onDisk.find((one) => one.name === name)?.kind === 'checkout'
      const size = await folderSize(join(repository.workspacesHome, name))
      return {
        what: isCheckout ? 'checkout' : 'workspace',
        name,
        why,
        size,
        free: () => tools.workspaces.discard(name),
      }
    }),
  )
}

/** Lists checkouts of "longhaul verify" processes that were killed. */
async function verifyCheckouts({ repository, at }: GcScope): Promise<readonly Freeable[]> {
  const entries = await readdir(repository.workspacesHome).catch(() => [])
  const names = entries.filter((name) => name.startsWith(VERIFY_CORNER))
  const old = names.map(async (name): Promise<readonly Freeable[]> => {
    const folder = join(repository.workspacesHome, name)
    const changedAt = (await stat(folder).catch(() => null))?.mtimeMs ?? at
    if (!isExpired('checkout', changedAt, at)) return []
    const free = removing(() => repository.removeCorner(name))
    return [{ what: 'checkout', name, why: 'left by an interrupted verify', size: await folderSize(folder), free }]
  })
  return (await Promise.all(old)).flat()
}

async function salvagedWork({ repository, at }: GcScope): Promise<readonly Freeable[]> {
  const salvage = unwrap(await repository.salvage())
  const why = `salvaged more than ${KEPT_SALVAGE_MS_MAX / DAY_MS} days ago`
  return salvage.refs
    .filter(({ savedAt }) => isExpired('salvage', savedAt, at))
    .map((work) => ({ what: 'salvage', name: work.ref, why, size: null, free: () => salvage.forget(work) }))
}

async function transcripts({ repository, fateOf, at }: GcScope): Promise<readonly Freeable[]> {
  const home = join(repository.stateFolder, 'transcripts')
  const attempts = await readdir(home).catch(() => [])
  const why = `written more than ${KEPT_TRANSCRIPT_MS_MAX / DAY_MS} days ago`
  const old = attempts.map(async (attempt): Promise<readonly Freeable[]> => {
    const folder = join(home, attempt)
    const changedAt = await lastChangeIn(folder)
    if (fateOf(attempt) === 'live' || !isExpired('transcript', changedAt, at)) return []
    const free = removing(() => rm(folder, { recursive: true, force: true }))
    return [{ what: 'transcripts', name: attempt, why, size: await folderSize(folder), free }]
  })
  return (await Promise.all(old)).flat()
}

async function lastChangeIn(folder: string): Promise<number> {
  const files = await readdir(folder).catch(() => [])
  const times = files.map(async (file) => (await stat(join(folder, file)).catch(() => null))?.mtimeMs ?? 0)
  return Math.max(0, ...(await Promise.all(times)))
}

/** Lists package caches of workspaces; what is missing is downloaded again. */
async function caches({ repository: { cachesHome }, freesCaches, isBusy }: GcScope): Promise<readonly Freeable[]> {
  const names = freesCaches && !isBusy ? await readdir(cachesHome).catch(() => []) : []
  return Promise.all(
    names.sort().map(async (name): Promise<Freeable> => {
      const folder = join(cachesHome, name)
      const free = removing(() => rm(folder, { recursive: true, force: true }))
      return { what: 'cache', name, why: 'packages that were downloaded', size: await folderSize(folder), free }
    }),
  )
}

/** Lists temporary objects that killed git processes left. */
async function temporaryObjects({ repository, at }: GcScope): Promise<readonly Freeable[]> {
  const old = (await repository.temporaryObjects()).filter(({ changedAt }) => isExpired('temporary', changedAt, at))
  if (old.length === 0) return []
  const bytes = old.reduce((sum, one) => sum + one.bytes, 0)
  const free = removing(async () => {
    for (const { file } of old) await rm(file, { force: true })
  })
  const why = 'left by git processes that were killed'
  return [
    {
      what: 'objects',
      name: `${old.length} temporary ${old.length === 1 ? 'file' : 'files'} of git`,
      why,
      size: { bytes, isPartial: false },
      free,
    },
  ]
}

/** Lists refs that only keep commits of finished work reachable. */
async function refs({ repository, tools, run, isBusy }: GcScope): Promise<readonly Freeable[]> {
  if (isBusy) return []
  const onDisk = (await tools.workspaces.list()).flatMap(({ attempt }) => attempt ?? [])
  const attempts = [...(run?.attempts.keys() ?? []), ...onDisk]
  const landings = (run?.landings ?? []).map(({ id }) => id)
  const { pins, removePins } = unwrap(await repository.leftovers({ attempts, landings }))
  const why = 'kept a commit of finished work'
  return pins.map((name) => ({ what: 'refs', name, why, size: null, free: () => removePins([name]) }))
}

function removing(remove: () => Promise<void>): Freeable['free'] {
  return async () => {
    await remove()
    return null
  }
}
