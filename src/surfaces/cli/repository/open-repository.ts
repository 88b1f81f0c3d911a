import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoadedSettings, WrongSettings } from '../../../config/load.ts'
import type { Flags } from '../../../config/overrides.ts'
import { configHome } from '../../../config/places.ts'
import type { PromptFolders } from '../../../config/prompts.ts'
import { ProblemError, unwrap } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import type { Repository, State, Tools, ToolUse, ToolWishes } from '../../../ports/repository.ts'
import { refuse } from '../refusal.ts'
import type { VerbContext } from '../verb.ts'
import type { World } from '../world.ts'

/** A repository with everything open that a run needs. */
export interface OpenRepository {
  readonly world: World
  readonly repository: Repository
  readonly state: State
  readonly tools: Tools
  close(): Promise<void>
}

/** The repository that the user stands in. */
export async function findRepository({ world }: Pick<VerbContext, 'world'>): Promise<Repository> {
  const adapters = await world.adapters()
  return unwrap(await adapters.find(world.folder, world.environment))
}

/** Opens a repository's adapters and its state, in this order: a repository that is refused stays as it was. */
export async function openRepositoryFor(
  world: World,
  repository: Repository,
  use: ToolUse,
  wishes: ToolWishes = {},
): Promise<OpenRepository> {
  const tools = unwrap(await repository.openTools(world.clock, use, wishes))
  try {
    const state = unwrap(await repository.openState())
    const close = async () => {
      await tools.close()
      // Everything is recorded by now; a disk that is full only keeps the file from being tidied up.
      await state.store.close().catch(() => {})
    }
    return { world, repository, state, tools, close }
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

/** Reads longhaul.yaml with variables and flags on top; reports everything wrong with them together. */
export async function readSettings(world: World, repository: Repository, flags: Flags = {}): Promise<ReadSettings> {
  const loaded = await loadedSettings(world, repository, flags)
  if (loaded.kind === 'wrong') throw new ProblemError(...loaded.problems)
  const { settingsDigest } = await import('../../../config/settings-digest.ts')
  return { values: loaded.settings, digest: settingsDigest(loaded.settings) }
}

/** Reads the settings with where each value comes from. */
export async function loadedSettings(
  { environment }: World,
  repository: Repository,
  flags: Flags,
): Promise<LoadedSettings | WrongSettings> {
  const { loadSettings } = await import('../../../config/load.ts')
  const { overridesFrom } = await import('../../../config/overrides.ts')
  const text = await settingsText(repository)
  const loaded = loadSettings({ file: SETTINGS_FILE, text, over: overridesFrom(environment, flags) })
  if (loaded.kind === 'wrong') return loaded
  const { withPrompts } = await import('../../../config/prompts.ts')
  return withPrompts(loaded, promptFolders({ environment }, repository))
}

/** Returns the folders for prompt overrides of the project and the user. */
export function promptFolders({ environment }: Pick<World, 'environment'>, { root }: Repository): PromptFolders {
  return { project: root, user: join(configHome(environment), 'prompts') }
}

export const SETTINGS_FILE = 'longhaul.yaml'

/** The settings file as it is written; null: there is none. */
export function settingsText(repository: Repository): Promise<string | null> {
  return textIfThere(join(repository.root, SETTINGS_FILE))
}

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
