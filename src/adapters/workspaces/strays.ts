import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readProcess } from '../../process/process-table.ts'
import { pidsInside } from '../../process/working-folders.ts'
import { placeNameOf } from './places.ts'

/** A process that works in a clone of ours. */
export interface Stray {
  readonly pid: number
  readonly name: string
  /** The name of the workspace or checkout. */
  readonly workspace: string
}

/** Processes at work in a home's clones; a person's shell that stands there is none. */
export async function findStrays(home: string): Promise<readonly Stray[]> {
  const entries = await readdir(home).catch(() => []) // no folder, no processes in it
  return entries.flatMap((entry) => {
    const workspace = placeNameOf(entry)
    const inside = workspace === null ? [] : pidsInside(join(home, entry)).flatMap((pid) => readProcess(pid) ?? [])
    return inside
      .filter(({ hasTerminal }) => !hasTerminal)
      .flatMap(({ pid, name }) => (workspace === null ? [] : [{ pid, name, workspace }]))
  })
}

/** Corners of a home that verbs made for themselves and, killed, did not remove; each is named after its process. */
export async function findAbandonedCorners(home: string): Promise<readonly string[]> {
  const entries = await readdir(home).catch(() => []) // no folder, no corners in it
  return entries.filter((entry) => {
    const pid = /^\.verify-(\d+)$/.exec(entry)?.[1]
    return pid !== undefined && readProcess(Number(pid)) === null
  })
}
