import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../../core/model/settings.ts'
import { need, Refusal, refuse } from './refusal.ts'
import type { Context } from './verb.ts'
import type { Place, State, Tools, World } from './world.ts'

/** A repository with everything open that a run needs. */
export interface Desk {
  readonly world: World
  readonly place: Place
  readonly state: State
  readonly tools: Tools
  close(): Promise<void>
}

/** The repository that the user stands in. */
export async function findPlace({ world }: Pick<Context, 'world'>): Promise<Place> {
  const adapters = await world.adapters()
  return need(await adapters.find(world.folder, world.environment))
}

/** Opens a repository's adapters and its state, in this order: a repository that is refused stays as it was. */
export async function openDesk(world: World, place: Place, drivers: 'all' | 'none'): Promise<Desk> {
  const tools = need(await place.openTools(world.clock, drivers))
  try {
    const state = need(await place.openState())
    const close = async () => {
      await tools.close()
      // Everything is recorded by now; a disk that is full only keeps the file from being tidied up.
      await state.store.close().catch(() => {})
    }
    return { world, place, state, tools, close }
  } catch (refused) {
    await tools.close()
    throw refused
  }
}

/** Settings with their digest. */
export interface ReadSettings {
  readonly values: Settings
  readonly digest: string
}

/** What longhaul.yaml says; everything wrong with it is told at once. */
export async function readSettings(place: Place): Promise<ReadSettings> {
  const { loadSettings } = await import('../../config/load.ts')
  const loaded = loadSettings({ file: SETTINGS_FILE, text: await textIfThere(join(place.root, SETTINGS_FILE)) })
  if (Array.isArray(loaded)) throw new Refusal(loaded)
  return withDigest(loaded as Settings)
}

/** Settings that were changed on the command line. */
export async function withDigest(values: Settings): Promise<ReadSettings> {
  const { settingsDigest } = await import('../../config/settings-digest.ts')
  return { values, digest: settingsDigest(values) }
}

export const SETTINGS_FILE = 'longhaul.yaml'

async function textIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    return refuse(
      'settings-unreadable',
      `${path} cannot be read: ${String(cause)}`,
      'See that it is a file you may read.',
    )
  }
}
