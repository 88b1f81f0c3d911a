import { join } from 'node:path'
import { workspacesToDiscard } from '../../../core/limits/retention.ts'
import { folderSize } from '../render/folder-size.ts'
import type { Freeable, Grounds } from './freeable.ts'

/** Workspaces and checkouts that the rules let go; whatever is unsaved in one is salvaged before. */
export async function freeableWorkspaces({ place, tools, fateOf, isBusy, at }: Grounds): Promise<readonly Freeable[]> {
  const { workspaces } = tools
  const onDisk = (await workspaces.list()).filter(({ kind }) => kind === 'workspace' || !isBusy)
  return Promise.all(
    workspacesToDiscard(onDisk, fateOf, at).map(async ({ name, why }): Promise<Freeable> => {
      const isCheckout = onDisk.find((one) => one.name === name)?.kind === 'checkout'
      const size = await folderSize(join(place.workspacesHome, name))
      return { what: isCheckout ? 'checkout' : 'workspace', name, why, size, free: () => workspaces.discard(name) }
    }),
  )
}
