import { workspacesToDiscard } from '../../../core/limits/retention.ts'
import { folderSize } from '../render/folder-size.ts'
import type { Freeable, Grounds } from './freeable.ts'

/** What agents keep for themselves, in the user's home, of workspaces that are gone or are about to go. */
export async function freeableRecords({
  place,
  tools,
  run,
  fateOf,
  isBusy,
  at,
}: Grounds): Promise<readonly Freeable[]> {
  if (isBusy) return []
  const onDisk = await tools.workspaces.list()
  const going = new Set(workspacesToDiscard(onDisk, fateOf, at).map(({ name }) => name))
  const staying = onDisk.flatMap(({ name, attempt }) => (attempt === null || going.has(name) ? [] : [attempt]))
  const attempts = [...(run?.attempts.keys() ?? []), ...staying]
  const records = await place.agentRecords(run?.settings?.agent.env ?? {}, attempts.map(tools.workspaces.folder))
  return Promise.all(
    records.map(async ({ path, remove }): Promise<Freeable> => {
      const free = async () => {
        await remove()
        return null
      }
      return { what: 'records', name: path, why: WHY, size: await folderSize(path), free }
    }),
  )
}

const WHY = 'an agent’s own, of a workspace that is gone'
