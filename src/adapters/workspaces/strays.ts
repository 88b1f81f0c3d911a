import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LeftoverProcess, Leftovers } from '../../ports/repository.ts'
import { readProcess } from '../../process/end/process-table.ts'
import { pidsInside } from '../../process/end/working-folders.ts'
import { cloneNameOf } from './clone-paths.ts'

/** Finds processes and folders that crashed commands and engines left in a home. */
export async function findStrays(home: string): Promise<Pick<Leftovers, 'processes' | 'corners'>> {
  const entries = await readdir(home).catch(() => []) // no folder, nothing in it
  return { processes: processesIn(home, entries), corners: abandonedCorners(entries) }
}

/** Lists processes that work in our clones; a person's shell does not count. */
function processesIn(home: string, entries: readonly string[]): readonly LeftoverProcess[] {
  return entries.flatMap((entry) => {
    const workspace = cloneNameOf(entry)
    const inside = workspace === null ? [] : pidsInside(join(home, entry)).flatMap((pid) => readProcess(pid) ?? [])
    return inside
      .filter(({ hasTerminal }) => !hasTerminal)
      .flatMap(({ pid, name }) => (workspace === null ? [] : [{ pid, name, workspace }]))
  })
}

/** Lists folders whose command was killed before it removed them; each is named after its process. */
function abandonedCorners(entries: readonly string[]): readonly string[] {
  return entries.filter((entry) => {
    const pid = /^\.verify-(\d+)$/.exec(entry)?.[1]
    return pid !== undefined && readProcess(Number(pid)) === null
  })
}
