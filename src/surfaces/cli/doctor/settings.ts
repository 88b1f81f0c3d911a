import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OVERRIDES } from '../../../config/overrides.ts'
import { setupFolders } from '../../../config/stacks/setup-folders.ts'
import { isProblem, ProblemError } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import { unusedRoles, unusedRoleText } from '../../../core/phases/roles.ts'
import { nearestName } from '../../../core/reading/nearest-name.ts'
import type { Repository } from '../../../ports/repository.ts'
import { editorSchema, isSchemaCurrent, writeSchema } from '../config/schema.ts'
import { readSettings, SETTINGS_FILE } from '../repository/open-repository.ts'
import type { World } from '../world.ts'
import { bad, type Diagnosis, ok, warn } from './diagnosis.ts'

/** Settings, or null when they are missing or invalid, with everything found about them. */
export interface SettingsFound {
  readonly settings: Settings | null
  /** True when there are settings that cannot be used. */
  readonly areInvalid: boolean
  readonly findings: readonly Diagnosis[]
}

/** Examines the settings. */
export async function examineSettings(world: World, repository: Repository): Promise<SettingsFound> {
  const otherFindings = [...variableFindings(world), ...(await schemaFindings(repository))]
  if (!existsSync(join(repository.root, SETTINGS_FILE))) {
    const missing = bad('settings', { message: `There is no ${SETTINGS_FILE}.`, hint: 'Run: longhaul init' })
    return { settings: null, areInvalid: false, findings: [missing, ...otherFindings] }
  }
  try {
    const { values } = await readSettings(world, repository)
    const ofSetup = await setupFindings(repository, values.workspace.setup)
    const findings = [gatesFinding(values.gates), ...ofSetup, ...roleFindings(values), ...otherFindings]
    return { settings: values, areInvalid: false, findings }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return {
      settings: null,
      areInvalid: true,
      findings: [...error.problems.map((problem) => bad('settings', problem)), ...otherFindings],
    }
  }
}

function gatesFinding(gates: Settings['gates']): Diagnosis {
  if (gates !== null && gates.length > 0) {
    return ok('settings', `${SETTINGS_FILE}; checks: ${gates.map(({ name }) => name).join(', ')}`)
  }
  const hint = `Add "gates" to ${SETTINGS_FILE}; see: longhaul config explain gates`
  if (gates === null) return bad('settings', { message: 'No checks are configured; no run starts without them.', hint })
  return warn('settings', 'gates: [] means that nothing proves what lands.', hint)
}

async function setupFindings(repository: Repository, setup: readonly string[]): Promise<readonly Diagnosis[]> {
  const folders = await repository.unignored(setupFolders(setup))
  if (isProblem(folders)) return [bad('settings', folders)]
  return folders.map((folder) => warn('settings', ...unignoredText(folder)))
}

/** Words for a folder that setup creates and git does not ignore: what is the case, and what to do. */
export function unignoredText(folder: string): readonly [message: string, hint: string] {
  return [`setup creates ${folder}, which git does not ignore.`, `Add ${folder}/ to .gitignore.`]
}

function roleFindings(settings: Settings): readonly Diagnosis[] {
  return unusedRoles(settings).map((role) => {
    const { message, hint } = unusedRoleText(role)
    return warn('settings', message, hint)
  })
}

// Set for agents and checks, from inside which doctor may be called.
const GIVEN_TO_AGENTS = ['LONGHAUL_TASK', 'LONGHAUL_ATTEMPT', 'LONGHAUL_PHASE', 'LONGHAUL_ROUND']

/** Finds unknown variables that start with LONGHAUL_. */
function variableFindings({ environment }: World): readonly Diagnosis[] {
  const known = ['LONGHAUL_STATE_HOME', ...OVERRIDES.map(({ variable }) => variable)]
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('LONGHAUL_') && !known.includes(name) && !GIVEN_TO_AGENTS.includes(name),
  )
  return unknown.map((name) => {
    const nearest = nearestName(name, known)
    const hint = nearest === null ? `Known variables: ${known.join(', ')}.` : `Did you mean ${nearest}?`
    return warn('variables', `$${name} is set, but is not a Longhaul variable.`, hint)
  })
}

/** Checks that the schema named in the settings file exists and is current. */
async function schemaFindings(repository: Repository): Promise<readonly Diagnosis[]> {
  const { file, modeline } = editorSchema(repository)
  const path = join(repository.root, SETTINGS_FILE)
  const isNamed = existsSync(path) && readFileSync(path, 'utf8').includes(modeline)
  if (!isNamed || (await isSchemaCurrent(repository))) return []
  const fix = async () => `wrote ${(await writeSchema(repository)).file}`
  const message = `${file}, which ${SETTINGS_FILE} names for editors, is missing or outdated.`
  return [warn('editors', message, 'Run: longhaul config schema --write', fix)]
}
