import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OVERRIDES } from '../../../config/overrides.ts'
import { ProblemError } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import { unusedRoles, unusedRoleText } from '../../../core/phases/roles.ts'
import { nearestName } from '../../../core/reading/nearest-name.ts'
import type { Repository } from '../../../ports/repository.ts'
import { readSettings, SETTINGS_FILE } from '../repository/open-repository.ts'
import { editorSchema, isSchemaCurrent, writeSchema } from '../verbs/editor-schema.ts'
import type { World } from '../world.ts'
import { bad, type Diagnosis, ok, warn } from './diagnosis.ts'

/** What longhaul.yaml says, where it is right, and everything about it that is worth a word. */
export interface SettingsFound {
  readonly settings: Settings | null
  readonly findings: readonly Diagnosis[]
}

/** Looks at the settings. */
export async function examineSettings(world: World, place: Repository): Promise<SettingsFound> {
  const beside = [...variableFindings(world), ...(await schemaFindings(place))]
  if (!existsSync(join(place.root, SETTINGS_FILE))) {
    const missing = bad('settings', { message: `There is no ${SETTINGS_FILE}.`, hint: 'Run: longhaul init' })
    return { settings: null, findings: [missing, ...beside] }
  }
  try {
    const { values } = await readSettings(world, place)
    return { settings: values, findings: [gatesFinding(values.gates), ...roleFindings(values), ...beside] }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return { settings: null, findings: [...error.problems.map((problem) => bad('settings', problem)), ...beside] }
  }
}

function gatesFinding(gates: Settings['gates']): Diagnosis {
  if (gates !== null && gates.length > 0) {
    return ok('settings', `${SETTINGS_FILE}; checks: ${gates.map(({ name }) => name).join(', ')}`)
  }
  const hint = `Write "gates" in ${SETTINGS_FILE}; longhaul config explain gates`
  if (gates === null)
    return bad('settings', { message: 'No checks are written, and without them no run starts.', hint })
  return warn('settings', 'gates: [] means that nothing is proven.', hint)
}

function roleFindings(settings: Settings): readonly Diagnosis[] {
  return unusedRoles(settings).map((role) => {
    const { message, hint } = unusedRoleText(role)
    return warn('settings', message, hint)
  })
}

// Agents and checks have these; seen here, doctor was asked from inside one.
const GIVEN_TO_AGENTS = ['LONGHAUL_TASK', 'LONGHAUL_ATTEMPT', 'LONGHAUL_PHASE', 'LONGHAUL_ROUND']

/** Variables that look like ours and are not. */
function variableFindings({ environment }: World): readonly Diagnosis[] {
  const known = ['LONGHAUL_STATE_HOME', ...OVERRIDES.map(({ variable }) => variable)]
  const strange = Object.keys(environment).filter(
    (name) => name.startsWith('LONGHAUL_') && !known.includes(name) && !GIVEN_TO_AGENTS.includes(name),
  )
  return strange.map((name) => {
    const nearest = nearestName(name, known)
    const hint = nearest === null ? `There are: ${known.join(', ')}.` : `Did you mean ${nearest}?`
    return warn('variables', `$${name} is set, and means nothing.`, hint)
  })
}

/** Whether editors find the schema that the settings file names. */
async function schemaFindings(place: Repository): Promise<readonly Diagnosis[]> {
  const { file, modeline } = editorSchema(place)
  const path = join(place.root, SETTINGS_FILE)
  const isNamed = existsSync(path) && readFileSync(path, 'utf8').includes(modeline)
  if (!isNamed || (await isSchemaCurrent(place))) return []
  const fix = async () => `wrote ${(await writeSchema(place)).file}`
  const message = `${file}, which ${SETTINGS_FILE} names for editors, is missing or of another version.`
  return [warn('editors', message, 'Run: longhaul config schema --write', fix)]
}
