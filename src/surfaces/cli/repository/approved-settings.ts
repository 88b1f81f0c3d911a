import type { LandedChange } from '../../../core/model/landed-change.ts'
import { type Problem, ProblemError, problem, unwrap } from '../../../core/model/problem.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { World } from '../world.ts'
import { loadedSettings, type ReadSettings, readSettings, SETTINGS_FILE } from './open-repository.ts'

/** Reads settings that may be adopted. */
export async function adoptableSettings(world: World, repository: Repository, flags = {}): Promise<ReadSettings> {
  const settings = await readSettings(world, repository, flags)
  await refuseUnapproved(world, repository)
  return settings
}

/** Refuses settings with lines that an agent wrote and no person approved. */
export async function refuseUnapproved(world: World, repository: Repository): Promise<void> {
  const changes = await unapprovedChanges(world, repository)
  if (changes.length > 0) throw new ProblemError(unapproved(changes))
}

/** Lists the landings that changed settings, prompts or scripts in use, without a person's approval. */
export async function unapprovedChanges(world: World, repository: Repository): Promise<readonly LandedChange[]> {
  const loaded = await loadedSettings(world, repository, {})
  const files = loaded.kind === 'wrong' ? [SETTINGS_FILE] : loaded.settings.sources
  return unwrap(await repository.landedChanges(files))
}

function unapproved(changes: readonly LandedChange[]): Problem {
  const [first] = changes
  const files = [...new Set(changes.map(({ file }) => file))].join(', ')
  const tasks = [...new Set(changes.map(({ task }) => task))].join(', ')
  return problem({
    code: 'settings-unapproved',
    message: `${files}: an agent wrote part of this (task ${tasks}), and settings are adopted only from a person.`,
    hint: `Read it: git show -m --first-parent ${first?.commit.slice(0, 10)} -- ${files.replaceAll(',', '')}. Then run "longhaul approve ${SETTINGS_FILE}", or edit the lines.`,
    retry: 'person',
  })
}
